package io.skein.examples.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.skein.net.TcpStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One client's connection: request after request, until either side has had enough. Used by one thread.
 *
 * <p>Limits: 8 KiB of head, 1 MiB of body, and a client that says nothing for a while is sent away.
 */
public final class HttpConnection {
    /** What answers requests. */
    @FunctionalInterface
    public interface Site {
        HttpResponse answer(HttpRequest request) throws Exception;
    }

    static final int BODY_LIMIT = 1 << 20;
    private static final int DISCARD_LIMIT = 16 << 20;

    private static final Pattern REQUEST_LINE = Pattern.compile("([A-Z]+) (/\\S*|\\*) HTTP/(\\d)\\.(\\d)");
    private static final Pattern HEADER = Pattern.compile("([!#$%&'*+.^_`|~\\w-]+):[ \\t]*(.*?)[ \\t]*");
    private static final Pattern LENGTH = Pattern.compile("\\d{1,15}");
    private static final Pattern CHUNK = Pattern.compile("([0-9a-fA-F]{1,7})[ \\t]*(;.*)?");

    private final TcpStream stream;
    private final Site site;
    private final HttpInput input;

    private HttpConnection(TcpStream stream, Site site) {
        this.stream = stream;
        this.site = site;
        this.input = new HttpInput(stream);
    }

    /**
     * Serves a client until it leaves.
     *
     * @param patience how long it may be silent
     */
    public static void serve(TcpStream stream, Duration patience, Site site) throws IOException {
        stream.readTimeout(patience);
        new HttpConnection(stream, site).serveAll();
    }

    private void serveAll() throws IOException {
        try {
            for (HttpRequest request = next(); request != null; request = next()) {
                HttpResponse response = answer(request);
                send(response, request.keepAlive(), request.method().equals("HEAD"));
                if (!request.keepAlive()) {
                    return;
                }
            }
        } catch (HttpFailure e) {
            refuse(e.status(), e.getMessage());
        } catch (SocketTimeoutException e) {
            refuse(408, "the client says nothing");
        } catch (EOFException gone) {
            // nobody to answer to
        }
    }

    private HttpResponse answer(HttpRequest request) {
        try {
            return site.answer(request);
        } catch (Exception e) {
            return HttpResponse.of(500, "the site failed: " + e + "\n");
        }
    }

    private void refuse(int status, @Nullable String why) throws IOException {
        send(HttpResponse.of(status, why + "\n"), false, false);
        stream.shutdownOutput();
        input.discard(DISCARD_LIMIT); // closing with bytes unread would reset the answer away
    }

    // Requests.

    private @Nullable HttpRequest next() throws IOException {
        input.beginLines();
        String first = input.line();
        while (first != null && first.isEmpty()) { // some clients send one too many
            first = input.line();
        }
        if (first == null) {
            return null;
        }
        Matcher line = REQUEST_LINE.matcher(first);
        if (!line.matches()) {
            throw new HttpFailure(400, "not a request line");
        }
        if (!line.group(3).equals("1")) {
            throw new HttpFailure(505, "only HTTP/1.0 and HTTP/1.1 are spoken here");
        }
        boolean recent = !line.group(4).equals("0");
        Map<String, String> headers = headers();
        if (recent && !headers.containsKey("host")) {
            throw new HttpFailure(400, "there is no host");
        }
        String connection = headers.getOrDefault("connection", "").toLowerCase(Locale.ROOT);
        boolean keepAlive = recent ? !connection.contains("close") : connection.contains("keep-alive");
        return new HttpRequest(line.group(1), line.group(2), keepAlive, headers, body(headers));
    }

    private Map<String, String> headers() throws IOException {
        Map<String, String> headers = new HashMap<>();
        for (String line = input.lineInside(); !line.isEmpty(); line = input.lineInside()) {
            Matcher header = HEADER.matcher(line);
            if (!header.matches()) {
                throw new HttpFailure(400, "not a header line");
            }
            headers.merge(header.group(1).toLowerCase(Locale.ROOT), header.group(2), (one, two) -> one + ", " + two);
        }
        return headers;
    }

    private byte[] body(Map<String, String> headers) throws IOException {
        String encoding = headers.get("transfer-encoding");
        String length = headers.get("content-length");
        if (encoding != null && length != null) {
            throw new HttpFailure(400, "a body has a length or is chunked, not both");
        }
        if (encoding == null && length == null) {
            return new byte[0];
        }
        if (encoding != null && !encoding.equalsIgnoreCase("chunked")) {
            throw new HttpFailure(501, "no other transfer encoding than chunked");
        }
        if (length != null && !LENGTH.matcher(length).matches()) {
            throw new HttpFailure(400, "not a length");
        }
        if (length != null && Long.parseLong(length) > BODY_LIMIT) {
            throw new HttpFailure(413, "more than " + BODY_LIMIT + " bytes of body");
        }
        if (headers.getOrDefault("expect", "").equalsIgnoreCase("100-continue")) {
            stream.write(ascii("HTTP/1.1 100 Continue\r\n\r\n"));
        }
        return length != null ? input.bytes(Integer.parseInt(length)) : chunks();
    }

    private byte[] chunks() throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        while (true) {
            input.beginLines();
            Matcher line = CHUNK.matcher(input.lineInside());
            if (!line.matches()) {
                throw new HttpFailure(400, "not a chunk");
            }
            int size = Integer.parseInt(line.group(1), 16);
            if (size == 0) {
                headers(); // trailers, which nobody wants
                return body.toByteArray();
            }
            if (body.size() + size > BODY_LIMIT) {
                throw new HttpFailure(413, "more than " + BODY_LIMIT + " bytes of body");
            }
            body.writeBytes(input.bytes(size));
            if (!input.lineInside().isEmpty()) {
                throw new HttpFailure(400, "a chunk is longer than it says");
            }
        }
    }

    // Responses.

    private void send(HttpResponse response, boolean keepAlive, boolean headOnly) throws IOException {
        StringBuilder head = new StringBuilder(128)
                .append("HTTP/1.1 ")
                .append(response.status())
                .append(' ')
                .append(HttpResponse.reason(response.status()))
                .append("\r\nContent-Type: text/plain; charset=utf-8\r\n");
        if (!keepAlive) {
            head.append("Connection: close\r\n");
        }
        if (response.chunked()) {
            stream.write(ascii(head.append("Transfer-Encoding: chunked\r\n\r\n").toString()));
            if (!headOnly) {
                sendChunks(response);
            }
            return;
        }
        byte[] body = response.parts().next();
        byte[] start = head.append("Content-Length: ")
                .append(body.length)
                .append("\r\n\r\n")
                .toString()
                .getBytes(ISO_8859_1);
        ByteBuffer all =
                ByteBuffer.allocate(start.length + (headOnly ? 0 : body.length)).put(start);
        stream.write((headOnly ? all : all.put(body)).flip());
    }

    private void sendChunks(HttpResponse response) throws IOException {
        while (response.parts().hasNext()) {
            byte[] part = response.parts().next();
            if (part.length > 0) { // an empty chunk would be the last
                stream.write(ascii(Integer.toHexString(part.length) + "\r\n"));
                stream.write(ByteBuffer.wrap(part));
                stream.write(ascii("\r\n"));
            }
        }
        stream.write(ascii("0\r\n\r\n"));
    }

    private static ByteBuffer ascii(String text) {
        return ByteBuffer.wrap(text.getBytes(ISO_8859_1));
    }
}
