package io.skein.net;

import io.skein.internal.sched.BlockingPool;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.WeakHashMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The look-ups of one runtime's names, which run in its blocking pool: one for all who ask the same resolver for the same host at the
 * same time, and no more than {@value #AT_ONCE} at once, so that a name service that is dead leaves the pool to others. Any
 * thread may call it.
 *
 * <p>Everything is under the monitor, which nobody holds while he waits. A look-up goes from queued to running to over. It is in
 * {@code known} until it is over, and in {@code queued} until it runs. When the last caller has left, having timed out, say, a
 * queued one is dropped and a running one is interrupted. The JDK's resolver does not heed that: so it stays known, for whoever
 * asks for the host meanwhile to wait for the same answer and not to occupy another thread. If the interrupt did end it, that one
 * asks again.
 */
final class LookUps {
    /** So many threads of the pool look up names at most. */
    static final int AT_ONCE = 32;

    /** Those of each pool. Weak, for nobody tells when a pool is gone; none refers to its pool for longer than a look-up takes. */
    private static final Map<BlockingPool, LookUps> OF_POOLS = Collections.synchronizedMap(new WeakHashMap<>());

    private final Map<Question, LookUp> known = new HashMap<>();
    private final Queue<LookUp> queued = new ArrayDeque<>();
    private int threads;

    private record Question(Resolver resolver, String host) {}

    /** One look-up. Its fields are under the monitor of all. */
    private static final class LookUp {
        final Question question;
        final CompletableFuture<List<InetAddress>> answer = new CompletableFuture<>();
        int callers;
        boolean interrupted;

        @Nullable
        Thread thread;

        LookUp(Question question) {
            this.question = question;
        }
    }

    static LookUps of(BlockingPool pool) {
        return OF_POOLS.computeIfAbsent(pool, _ -> new LookUps());
    }

    /**
     * The addresses of a host, at least one.
     *
     * @param pool the one that these look-ups are of
     * @throws UnknownHostException if nobody knows it
     * @throws InterruptedIOException if the caller is interrupted; its interrupt status stays set
     */
    List<InetAddress> ask(BlockingPool pool, Resolver resolver, String host) throws IOException {
        Question question = new Question(resolver, host);
        while (true) {
            LookUp lookUp = enter(pool, question);
            try {
                List<InetAddress> found = lookUp.answer.get();
                if (found.isEmpty()) {
                    throw Caller.unknown(host, null);
                }
                return found;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("resolve " + host + ": interrupted");
            } catch (ExecutionException e) {
                if (!wasInterrupted(lookUp)) {
                    throw failure(host, e.getCause());
                }
            } finally {
                leave(lookUp);
            }
        }
    }

    /** A failure of the caller's own: several may get to hear of one. */
    private static IOException failure(String host, @Nullable Throwable failure) {
        return failure instanceof UnknownHostException
                ? Caller.unknown(host, failure)
                : new IOException("resolve " + host + ": " + failure, failure);
    }

    private synchronized LookUp enter(BlockingPool pool, Question question) {
        LookUp lookUp = known.get(question);
        if (lookUp == null) {
            lookUp = new LookUp(question);
            queued.add(lookUp);
            known.put(question, lookUp);
            if (threads < AT_ONCE) {
                startThread(pool, lookUp);
            }
        }
        lookUp.callers++;
        return lookUp;
    }

    private void startThread(BlockingPool pool, LookUp lookUp) {
        try {
            pool.execute(this::runAll);
            threads++;
        } catch (Throwable e) { // the runtime is closed, or there is no thread and none can be started
            drop(lookUp);
            throw e;
        }
    }

    private synchronized boolean wasInterrupted(LookUp lookUp) {
        return lookUp.interrupted;
    }

    private synchronized void leave(LookUp lookUp) {
        lookUp.callers--;
        if (lookUp.callers > 0) {
            return;
        }
        if (lookUp.thread != null) {
            lookUp.interrupted = true;
            lookUp.thread.interrupt();
        } else if (queued.contains(lookUp)) {
            drop(lookUp);
        }
    }

    private void drop(LookUp lookUp) {
        queued.remove(lookUp);
        known.remove(lookUp.question);
    }

    // On a thread of the pool.

    private void runAll() {
        for (LookUp next = begin(); next != null; next = begin()) {
            run(next);
        }
    }

    /** The next look-up, or null when there is none and the thread is to go. */
    private synchronized @Nullable LookUp begin() {
        LookUp next = queued.poll(); // takes no memory: a thread that fails here would leave the others without one
        if (next == null) {
            threads--;
            return null;
        }
        next.thread = Thread.currentThread();
        return next;
    }

    private void run(LookUp lookUp) {
        Question question = lookUp.question;
        try {
            List<InetAddress> found = List.copyOf(question.resolver.resolve(question.host));
            end(lookUp);
            lookUp.answer.complete(found);
        } catch (Throwable e) { // whatever it is, it is the callers'
            end(lookUp);
            lookUp.answer.completeExceptionally(e);
        }
    }

    /** From now on nobody interrupts this thread, and who asks begins another one. */
    private synchronized void end(LookUp lookUp) {
        lookUp.thread = null;
        known.remove(lookUp.question);
        boolean _ = Thread.interrupted();
    }
}
