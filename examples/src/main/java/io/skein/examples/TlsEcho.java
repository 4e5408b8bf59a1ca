package io.skein.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.skein.Skein;
import io.skein.net.TlsListener;
import io.skein.net.TlsOptions;
import io.skein.net.TlsStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * The echo server again, with TLS: keys and trust come from the JDK's {@code SSLContext}, and the rest is the same plain
 * blocking code. The certificate is made on the spot, by the JDK's keytool.
 */
@SuppressWarnings("FutureReturnValueIgnored") // nobody joins a handler: a failure goes to the failure handler
public final class TlsEcho {
    private static final String PASSWORD = "not a secret";

    private TlsEcho() {}

    public static void main(String[] arguments) throws Exception {
        TlsOptions options = TlsOptions.of(selfSigned()).withApplicationProtocols("echo");
        try (Skein skein = Skein.start()) {
            skein.blockOn(() -> {
                try (TlsListener listener = TlsListener.bind("127.0.0.1", 0, options)) {
                    skein.spawn(() -> acceptAll(skein, listener));
                    talkTo(listener.localAddress().getPort(), options);
                }
            });
        }
    }

    private static void acceptAll(Skein skein, TlsListener listener) throws IOException {
        try {
            while (true) {
                TlsStream stream = listener.accept(); // the handshake is made by the first read, in the handler
                skein.spawn(() -> echo(stream));
            }
        } catch (SocketException closed) {
            System.out.println("server: closed, no more connections");
        }
    }

    private static void echo(TlsStream stream) throws IOException {
        try (stream) {
            ByteBuffer buffer = ByteBuffer.allocate(4096);
            while (stream.read(buffer) >= 0) {
                stream.write(buffer.flip());
                buffer.clear();
            }
        }
    }

    private static void talkTo(int port, TlsOptions options) throws IOException {
        try (TlsStream stream = TlsStream.connect("localhost", port, options)) {
            System.out.println("client: " + stream.session().getProtocol() + " with "
                    + stream.peerCertificates().getFirst().getSubjectX500Principal() + ", speaking "
                    + stream.applicationProtocol().orElseThrow());
            ByteBuffer message = UTF_8.encode("hello");
            ByteBuffer answer = ByteBuffer.allocate(message.remaining());
            stream.write(message);
            while (answer.hasRemaining() && stream.read(answer) >= 0) {}
            System.out.println("client: the server says " + UTF_8.decode(answer.flip()));
        }
    }

    /** A context that is localhost, and trusts itself. */
    private static SSLContext selfSigned() throws IOException, GeneralSecurityException, InterruptedException {
        KeyStore keys = makeKeys();
        KeyManagerFactory keyManagers = KeyManagerFactory.getInstance("NewSunX509");
        keyManagers.init(keys, PASSWORD.toCharArray());
        TrustManagerFactory trustManagers = TrustManagerFactory.getInstance("PKIX");
        trustManagers.init(trusting(keys));
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keyManagers.getKeyManagers(), trustManagers.getTrustManagers(), null);
        return context;
    }

    private static KeyStore trusting(KeyStore keys) throws IOException, GeneralSecurityException {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("server", keys.getCertificate("server"));
        return trusted;
    }

    private static KeyStore makeKeys() throws IOException, GeneralSecurityException, InterruptedException {
        Path folder = Files.createTempDirectory("tls-echo");
        Path file = folder.resolve("keys.p12");
        try {
            ProcessBuilder making = new ProcessBuilder(
                    Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                    "-genkeypair",
                    "-alias",
                    "server",
                    "-dname",
                    "CN=localhost",
                    "-ext",
                    "SAN=dns:localhost",
                    "-keyalg",
                    "EC",
                    "-storetype",
                    "PKCS12",
                    "-keystore",
                    file.toString(),
                    "-storepass",
                    PASSWORD);
            if (making.redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    != 0) {
                throw new IOException("keytool made no key");
            }
            KeyStore keys = KeyStore.getInstance("PKCS12");
            try (InputStream stream = Files.newInputStream(file)) {
                keys.load(stream, PASSWORD.toCharArray());
            }
            return keys;
        } finally {
            Files.deleteIfExists(file);
            Files.delete(folder);
        }
    }
}
