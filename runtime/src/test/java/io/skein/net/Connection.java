package io.skein.net;

import io.skein.Skein;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;

/** A connection of single bytes, by either of the two kinds of TCP sockets that Skein has. */
interface Connection extends AutoCloseable {
    void write(int value) throws IOException;

    int read() throws IOException;

    @Override
    void close() throws IOException;

    /** Which kind. */
    enum Kind {
        STREAM {
            @Override
            Connection connect(Skein skein, InetSocketAddress address) throws IOException {
                return new OfStream(TcpStream.connect(skein, address));
            }
        },
        SOCKET {
            @Override
            Connection connect(Skein skein, InetSocketAddress address) throws IOException {
                return new OfSocket(skein.socketFactory().createSocket(address.getAddress(), address.getPort()));
            }
        };

        abstract Connection connect(Skein skein, InetSocketAddress address) throws IOException;
    }

    /** Sends bytes to an echo server, each after the answer to the one before. */
    default void exchange(int roundTrips) throws IOException {
        for (int i = 0; i < roundTrips; i++) {
            write(i);
            int answer = read();
            if (answer != (i & 0xFF)) {
                throw new AssertionError("sent " + i + ", received " + answer);
            }
        }
    }

    /** See {@link Kind#STREAM}. */
    record OfStream(TcpStream stream) implements Connection {
        @Override
        public void write(int value) throws IOException {
            stream.write(ByteBuffer.wrap(new byte[] {(byte) value}));
        }

        @Override
        public int read() throws IOException {
            ByteBuffer one = ByteBuffer.allocate(1);
            if (stream.read(one) < 0) {
                throw new EOFException();
            }
            return one.get(0) & 0xFF;
        }

        @Override
        public void close() {
            stream.close();
        }
    }

    /** See {@link Kind#SOCKET}. */
    record OfSocket(Socket socket) implements Connection {
        @Override
        public void write(int value) throws IOException {
            socket.getOutputStream().write(value);
        }

        @Override
        public int read() throws IOException {
            return socket.getInputStream().read();
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
