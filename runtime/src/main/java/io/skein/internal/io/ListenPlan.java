package io.skein.internal.io;

import java.net.SocketAddress;
import java.util.List;

/**
 * What a listener is to be.
 *
 * @param address where it listens; resolved, if it is an Internet address
 * @param backlog how many connections may wait to be accepted
 * @param dualStack whether a wildcard address stands for those of IPv4 and IPv6
 * @param settings options to set before it is bound
 */
public record ListenPlan(SocketAddress address, int backlog, boolean dualStack, List<Setting<?>> settings) {}
