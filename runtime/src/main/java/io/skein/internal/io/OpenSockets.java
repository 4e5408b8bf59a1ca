package io.skein.internal.io;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The sockets of a backend that are open, so that a stop can close what was left open. Any thread may call it. */
public final class OpenSockets {
    private final Set<Gate> gates = ConcurrentHashMap.newKeySet();

    void add(Gate gate) {
        gates.add(gate);
    }

    void remove(Gate gate) {
        gates.remove(gate);
    }

    public void closeAll() {
        gates.forEach(Gate::close);
    }
}
