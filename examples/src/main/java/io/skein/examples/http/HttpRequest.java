package io.skein.examples.http;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What a client asks.
 *
 * @param method such as {@code GET}
 * @param path what follows the host, as it was sent
 * @param keepAlive whether the client may ask more on this connection
 * @param headers by their names in lower case
 * @param body empty if there is none
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares requests
public record HttpRequest(String method, String path, boolean keepAlive, Map<String, String> headers, byte[] body) {
    public Optional<String> header(String name) {
        return Optional.ofNullable(headers.get(name.toLowerCase(Locale.ROOT)));
    }
}
