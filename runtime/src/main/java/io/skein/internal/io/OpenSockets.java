package io.skein.internal.io;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The sockets and files of a backend that are open, so that a stop can close what was left open. Any thread may call it.
 */
public final class OpenSockets {
    /** Something that is open. */
    interface Member {
        void close();
    }

    private final Set<Member> members = ConcurrentHashMap.newKeySet();

    void add(Member member) {
        members.add(member);
    }

    void remove(Member member) {
        members.remove(member);
    }

    public void closeAll() {
        members.forEach(Member::close);
    }
}
