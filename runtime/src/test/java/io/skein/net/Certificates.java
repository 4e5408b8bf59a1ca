package io.skein.net;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/**
 * Two parties with self-signed certificates, made once by the JDK's keytool: {@code localhost}, and {@code other.example}, who is
 * also the client that shows a certificate. Immutable.
 */
final class Certificates {
    static final String LOCALHOST = "localhost";
    static final String OTHER = "other.example";

    private static final char[] PASSWORD = "not a secret".toCharArray();
    private static final Certificates MADE = new Certificates();

    private final KeyStore keys;

    private Certificates() {
        try {
            Path folder = Files.createTempDirectory("skein-tls");
            Path file = folder.resolve("keys.p12");
            try {
                generate(file, LOCALHOST, "dns:localhost,ip:127.0.0.1");
                generate(file, OTHER, "dns:other.example");
                keys = KeyStore.getInstance("PKCS12");
                try (InputStream stream = Files.newInputStream(file)) {
                    keys.load(stream, PASSWORD);
                }
            } finally {
                Files.deleteIfExists(file);
                Files.delete(folder);
            }
        } catch (IOException | GeneralSecurityException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void generate(Path file, String alias, String names) throws IOException, InterruptedException {
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keystore",
                        file.toString(),
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        new String(PASSWORD),
                        "-alias",
                        alias,
                        "-dname",
                        "CN=" + alias,
                        "-keyalg",
                        "EC",
                        "-groupname",
                        "secp256r1",
                        "-validity",
                        "3650",
                        "-ext",
                        "SAN=" + names)
                .redirectErrorStream(true)
                .start();
        String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (keytool.waitFor() != 0) {
            throw new IOException("keytool: " + said);
        }
    }

    /** A context with the keys of some and trust in some. */
    static SSLContext context(List<String> keysOf, List<String> trusted) throws GeneralSecurityException, IOException {
        return context(keysOf, trustManagers(trusted));
    }

    static SSLContext context(List<String> keysOf, TrustManager[] trust) throws GeneralSecurityException, IOException {
        KeyStore own = emptyStore();
        for (String alias : keysOf) {
            own.setKeyEntry(alias, MADE.keys.getKey(alias, PASSWORD), PASSWORD, MADE.keys.getCertificateChain(alias));
        }
        KeyManagerFactory managers = KeyManagerFactory.getInstance("NewSunX509"); // chooses by server name
        managers.init(own, PASSWORD);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), trust, null);
        return context;
    }

    static TrustManager[] trustManagers(List<String> trusted) throws GeneralSecurityException, IOException {
        KeyStore others = emptyStore();
        for (String alias : trusted) {
            others.setCertificateEntry(alias, MADE.keys.getCertificate(alias));
        }
        TrustManagerFactory managers = TrustManagerFactory.getInstance("PKIX");
        managers.init(others);
        return managers.getTrustManagers();
    }

    /** The key and the certificate of one of them, in one file. */
    static void writePem(String alias, Path file) throws GeneralSecurityException, IOException {
        Files.writeString(
                file,
                pem("PRIVATE KEY", MADE.keys.getKey(alias, PASSWORD).getEncoded())
                        + pem("CERTIFICATE", MADE.keys.getCertificate(alias).getEncoded()));
    }

    private static String pem(String what, byte[] content) {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        return "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n";
    }

    private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, PASSWORD);
        return store;
    }
}
