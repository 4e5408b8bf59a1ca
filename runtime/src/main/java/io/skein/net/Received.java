package io.skein.net;

import java.net.InetSocketAddress;

/**
 * What is known of a datagram that was received, besides its bytes.
 *
 * @param length how long it was when it was sent
 * @param truncated whether the target had no room for all of it; the rest is lost
 */
public record Received(InetSocketAddress sender, int length, boolean truncated) {}
