package io.skein.internal.io;

import java.net.SocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a connection is to be.
 *
 * @param address where to; resolved, if it is an Internet address
 * @param local where from; null for any
 * @param settings options to set before it is bound and connected
 * @param timeoutNanos how long it may take, or {@link Deadline#NONE}
 */
public record ConnectPlan(
        SocketAddress address, @Nullable SocketAddress local, List<Setting<?>> settings, long timeoutNanos) {}
