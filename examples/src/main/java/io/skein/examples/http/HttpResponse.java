package io.skein.examples.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a server answers: a body whose length is known, or parts that are sent one by one, in chunks.
 *
 * @param status such as 200
 * @param parts the body
 * @param chunked whether the parts are sent as they come
 */
public record HttpResponse(int status, Iterator<byte[]> parts, boolean chunked) {
    public static HttpResponse of(int status, byte[] body) {
        return new HttpResponse(status, List.of(body).iterator(), false);
    }

    public static HttpResponse of(int status, String text) {
        return of(status, text.getBytes(UTF_8));
    }

    /** Parts that are made while they are sent. */
    public static HttpResponse chunked(Stream<String> parts) {
        return new HttpResponse(200, parts.map(part -> part.getBytes(UTF_8)).iterator(), true);
    }

    static String reason(int status) {
        return switch (status) {
            case 200 -> "OK";
            case 400 -> "Bad Request";
            case 404 -> "Not Found";
            case 405 -> "Method Not Allowed";
            case 408 -> "Request Timeout";
            case 413 -> "Content Too Large";
            case 431 -> "Request Header Fields Too Large";
            case 500 -> "Internal Server Error";
            case 501 -> "Not Implemented";
            case 505 -> "HTTP Version Not Supported";
            default -> "Status";
        };
    }
}
