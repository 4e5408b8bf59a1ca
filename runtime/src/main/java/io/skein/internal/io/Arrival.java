package io.skein.internal.io;

import java.net.InetSocketAddress;

/**
 * What is known of a datagram that was received, besides its bytes.
 *
 * @param length how long it was when it was sent, which may be more than there was room for
 */
public record Arrival(InetSocketAddress sender, int length) {}
