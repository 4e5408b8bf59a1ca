/** The echo server of the README: one source file without a build; serves port 7000 until you stop it. */

import io.skein.Skein;
import io.skein.net.TcpListener;
import io.skein.net.TcpStream;

void main() throws InterruptedException {
    try (Skein skein = Skein.start()) {
        skein.blockOn(() -> {
            try (TcpListener listener = TcpListener.bind("127.0.0.1", 7000)) {
                while (true) {
                    TcpStream stream = listener.accept();
                    skein.spawn(() -> echo(stream));
                }
            }
        });
    }
}

void echo(TcpStream stream) throws IOException {
    try (stream) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(4096);
        while (stream.read(buffer) >= 0) {
            stream.write(buffer.flip());
            buffer.clear();
        }
    }
}
