package io.skein.internal.sched;

import io.skein.internal.time.Durations;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;

/**
 * Tells for whom a close has waited for long: a library's virtual thread that idles for ever, most likely. Any thread
 * may call it.
 */
final class Stragglers {
    private static final System.Logger LOG = System.getLogger("io.skein");

    /** So long a close waits before it tells. */
    static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** So many are named. */
    private static final int NAMED = 5;

    private static final int FRAMES = 20;

    private final StringBuilder text = new StringBuilder();
    private int named;

    private Stragglers() {}

    /**
     * Logs who lives. Where that cannot be told, for lack of memory perhaps, the close goes on waiting all the same.
     */
    static void report(Scheduler scheduler) {
        try {
            Stragglers report = new Stragglers();
            scheduler.adopted().all().forEach(report::add); // first: who closes may not know of them
            scheduler.known().forEach(report::add);
            LOG.log(
                    Level.WARNING,
                    scheduler.name() + ": close has waited for " + Durations.text(PATIENCE_NANOS) + ", and "
                            + scheduler.population().size() + " live, among them:" + report.text);
        } catch (Throwable e) {
            // The close matters more.
        }
    }

    private void add(AdoptedThreads.Adopted adopted) {
        long age = System.nanoTime() - adopted.sinceNanos();
        String name = LibraryThreads.nameOf(adopted.thread());
        add(adopted.thread(), name + ", a virtual thread that was started in a coroutine " + seconds(age) + " ago");
    }

    private static String seconds(long nanos) {
        return Durations.text(TimeUnit.SECONDS.toNanos(TimeUnit.NANOSECONDS.toSeconds(nanos)));
    }

    private void add(SpawnedCoroutine<?> coroutine) {
        add(coroutine.thread(), coroutine.name() + ", a coroutine");
    }

    private void add(Thread thread, String who) {
        StackTraceElement[] frames = named < NAMED ? CoroutineStack.framesOf(thread) : new StackTraceElement[0];
        if (frames.length == 0) { // it has ended, or there are enough
            return;
        }
        named++;
        text.append(System.lineSeparator()).append("  ").append(who);
        for (int i = 0; i < Math.min(FRAMES, frames.length); i++) {
            text.append(System.lineSeparator()).append("    at ").append(frames[i]);
        }
    }
}
