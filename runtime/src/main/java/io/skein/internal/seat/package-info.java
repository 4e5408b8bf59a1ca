/**
 * The seat for Java libraries: {@code java.net} sockets over Skein's own, and a {@link java.nio.channels.SocketChannel} over those.
 *
 * <p>The JDK's {@link java.net.Socket} and {@link java.net.ServerSocket} do the checking and the bookkeeping that they document;
 * what is here is the implementation below them. It uses {@code net} by its public face only.
 */
@NullMarked
package io.skein.internal.seat;

import org.jspecify.annotations.NullMarked;
