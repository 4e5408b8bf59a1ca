package io.skein.internal.sched;

/**
 * Where a worker sleeps: its number in an {@link IdleWorkers}.
 *
 * @param idle all workers' under stealing, this worker's own under pinning
 * @param id the worker's number there
 */
record Bed(IdleWorkers idle, int id) {}
