package io.skein.internal.io;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The sockets and files of a backend that are open, so that a stop can close what was left open. Any thread may call it.
 *
 * <p>To give a descriptor back takes some memory. Where there is none, the closer is told by the error, and the descriptor is owed: it is
 * given back by the thread that opens or closes the next socket, or by the stop. What is owed is a stack whose links are the sockets
 * themselves, so that it takes no memory. A thread takes the whole stack, so each socket is released by one thread at a time.
 */
public final class OpenSockets {
    private static final VarHandle OWED;

    static {
        try {
            OWED = MethodHandles.lookup().findVarHandle(OpenSockets.class, "owed", Member.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Something that is open. */
    abstract static class Member {
        /** The one below, while this is owed. */
        private @Nullable Member below;

        /** Closes it. Idempotent. */
        public abstract void close();

        /**
         * Gives the descriptor back. Called when it is closed and nobody uses it; by one thread at a time, and again if it has failed: then
         * the descriptor is not given back yet.
         */
        protected abstract void release();
    }

    private final Set<Member> members = ConcurrentHashMap.newKeySet();

    private volatile @Nullable Member owed;

    /** Notes a member; one that it fails for is not noted, and its descriptor is the caller's to close. */
    void add(Member member) {
        releaseOwed();
        try {
            members.add(member);
        } catch (Throwable e) { // too little memory for a larger table, when the member is in it already
            members.remove(member);
            throw e;
        }
    }

    /** Gives the descriptor of a member back that is closed. If that fails, it is owed. */
    void release(Member closed) {
        members.remove(closed);
        try {
            closed.release();
        } catch (Throwable e) {
            owe(closed);
            throw e;
        }
        releaseOwed();
    }

    private void owe(Member closed) {
        Member top;
        do {
            top = owed;
            closed.below = top;
        } while (!OWED.compareAndSet(this, top, closed));
    }

    private void releaseOwed() {
        if (owed == null) {
            return;
        }
        for (Member next = (@Nullable Member) OWED.getAndSet(this, null); next != null; ) {
            Member member = next;
            next = member.below; // read first: it may be owed again
            try {
                member.release();
            } catch (Throwable e) { // not the caller's
                owe(member);
            }
        }
    }

    /** Closes what is open. If that fails for some, the others are closed all the same. */
    public void closeAll() {
        Throwable failure = null;
        for (Member member : members) {
            try {
                member.close();
            } catch (RuntimeException | Error e) {
                failure = e;
            }
        }
        releaseOwed();
        if (owed != null) { // else what has failed went well the second time
            switch (failure) {
                case RuntimeException e -> throw e;
                case Error e -> throw e;
                case null, default -> {}
            }
        }
    }
}
