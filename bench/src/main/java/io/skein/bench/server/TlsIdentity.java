package io.skein.bench.server;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** A key and a certificate that it signed itself, made by the JDK's {@code keytool} when a server starts. */
record TlsIdentity(KeyManagerFactory keys) {
    private static final String PASSWORD = "not-a-secret";

    static TlsIdentity ofThisServer() throws IOException {
        Path folder = Files.createTempDirectory("skein-bench");
        Path file = folder.resolve("keys.p12");
        try {
            make(file);
            KeyStore store = KeyStore.getInstance("PKCS12");
            try (InputStream in = Files.newInputStream(file)) {
                store.load(in, PASSWORD.toCharArray());
            }
            KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(store, PASSWORD.toCharArray());
            return new TlsIdentity(keys);
        } catch (GeneralSecurityException failure) {
            throw new IOException("the key of the server: " + failure.getMessage(), failure);
        } finally {
            Files.deleteIfExists(file);
            Files.delete(folder);
        }
    }

    private static void make(Path file) throws IOException {
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "server",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        file.toString(),
                        "-storepass",
                        PASSWORD)
                .redirectErrorStream(true)
                .start();
        String complaint = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!Files.exists(file)) {
            throw new UnsupportedOperationException("keytool makes no key: " + complaint.strip());
        }
    }

    SSLContext context() throws IOException {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys.getKeyManagers(), null, null);
            return context;
        } catch (GeneralSecurityException failure) {
            throw new IOException("no TLS in this JDK: " + failure.getMessage(), failure);
        }
    }
}
