package io.skein.internal.sched;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * A worker without a thread and without a driver: its queues and its idleness are the real ones, and the test makes its
 * steps. Hooks let the test do something between two steps.
 */
final class SharingWorker implements Idleness.Host {
    final WorkerCounters counters = new WorkerCounters();
    final OwnQueues queues;
    final Idleness idleness;

    /** How long each sleep was to be; 0 for a drive that did not sleep. */
    final List<Long> sleeps = new ArrayList<>();

    /** What the worker was told about its sleeps, and the sleeps. */
    final List<String> steps = new ArrayList<>();

    /** When the worker has found nothing and has not yet set its bit. */
    Runnable beforeTheBit = () -> {};

    /** When the worker has set its bit and counted itself out, and has not yet looked again. */
    Runnable beforeTheLook = () -> {};

    /** In the place of the driver. */
    Runnable whileAsleep = () -> {};

    boolean hasMessage;
    boolean stopping;
    long nanosToNextTimer = Long.MAX_VALUE;
    private boolean bitIsSet;

    /** What others see of its runs: by default it runs one coroutine all the time. */
    LongSupplier runMarks = () -> 1;

    SharingWorker(WorkSharing sharing, int place) {
        queues = new OwnQueues(sharing, place, 4, true, () -> runMarks.getAsLong());
        idleness = new Idleness(this, sharing, place, queues.runQueue(), counters);
    }

    /** All workers of a sharing. */
    static List<SharingWorker> group(WorkSharing sharing, int count) {
        List<SharingWorker> group = new ArrayList<>();
        for (int place = 0; place < count; place++) {
            group.add(new SharingWorker(sharing, place));
        }
        return group;
    }

    @Override
    public boolean isStopping() {
        if (!bitIsSet) {
            bitIsSet = true;
            take(beforeTheBit, () -> beforeTheBit = () -> {});
        } else {
            take(beforeTheLook, () -> beforeTheLook = () -> {});
        }
        return stopping;
    }

    private static void take(Runnable hook, Runnable once) {
        once.run();
        hook.run();
    }

    @Override
    public boolean hasOwnWork() {
        return hasMessages() || !queues.isEmpty();
    }

    @Override
    public boolean hasMessages() {
        return hasMessage;
    }

    @Override
    public long nanosToNextTimer() {
        return nanosToNextTimer;
    }

    @Override
    public void drive(long timeoutNanos) {
        steps.add("drive");
        sleeps.add(timeoutNanos);
        bitIsSet = false;
        take(whileAsleep, () -> whileAsleep = () -> {});
    }

    @Override
    public void driveOnly(long timeoutNanos) {
        drive(timeoutNanos);
    }

    @Override
    public void goesToSleep() {
        steps.add("goes to sleep");
    }

    @Override
    public void woke() {
        steps.add("woke");
    }
}
