package io.skein.internal.sched;

/**
 * A worker without a thread and without a driver: its queues and its idleness are the real ones, and an actor makes its
 * steps. The owner's thread uses it, as a worker does.
 */
final class StressWorker implements Idleness.Host {
    final OwnQueues queues;
    final Idleness idleness;

    /** Grows with each look at it while the worker is busy, as if it ran one coroutine after another. */
    private long runMarks;

    boolean busy;

    StressWorker(WorkSharing sharing, int place) {
        queues = new OwnQueues(sharing, place, 4, true, () -> busy ? runMarks++ : runMarks);
        idleness = new Idleness(this, sharing, place, queues.runQueue(), new WorkerCounters());
    }

    /** Makes the worker a searcher that has found nothing. */
    StressWorker searching() {
        if (idleness.findWork() != null || !idleness.isSearching()) {
            throw new AssertionError("it should have searched in vain");
        }
        return this;
    }

    /** The steps up to the sleep. Returns whether it would sleep. */
    boolean fallsAsleep() {
        return idleness.fallAsleep() != 0;
    }

    @Override
    public boolean isStopping() {
        return false;
    }

    @Override
    public boolean hasOwnWork() {
        return !queues.isEmpty();
    }

    @Override
    public boolean hasMessages() {
        return false;
    }

    @Override
    public long nanosToNextTimer() {
        return Long.MAX_VALUE;
    }

    @Override
    public void drive(long timeoutNanos) {
        throw new UnsupportedOperationException("an actor makes the steps one by one");
    }

    @Override
    public void driveOnly(long timeoutNanos) {
        drive(timeoutNanos);
    }

    @Override
    public void goesToSleep() {}

    @Override
    public void woke() {}
}
