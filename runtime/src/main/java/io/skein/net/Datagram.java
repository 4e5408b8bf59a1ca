package io.skein.net;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that are to be sent as one datagram, for {@link UdpSocket#sendAll}.
 *
 * @param bytes from its position to its limit; sent, its position is at the limit
 * @param target where to; null for the peer that the socket is connected to
 */
public record Datagram(ByteBuffer bytes, @Nullable InetSocketAddress target) {}
