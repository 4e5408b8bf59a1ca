package io.skein.bench.load;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLConnection;

/** Sees that a web server answers, before a load generator counts answers without looking at them. */
public final class HelloCheck {
    private static final int TIMEOUT_MILLIS = 30_000;

    private HelloCheck() {}

    /** Throws an {@link IOException} that says what came instead. */
    public static void run(int port, String expected) throws IOException {
        URLConnection connection =
                URI.create("http://127.0.0.1:" + port + "/hello").toURL().openConnection();
        connection.setConnectTimeout(TIMEOUT_MILLIS);
        connection.setReadTimeout(TIMEOUT_MILLIS);
        try (InputStream answer = connection.getInputStream()) {
            String text = new String(answer.readAllBytes(), US_ASCII);
            if (!text.equals(expected)) {
                throw new IOException("the answer is '" + text + "'");
            }
        }
    }
}
