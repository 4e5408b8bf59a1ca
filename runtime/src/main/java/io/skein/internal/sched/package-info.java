/**
 * Who runs what, and when: workers, their run queues, the coroutines they run, and the order of a stop.
 *
 * <p>This room knows drivers and operations, and nothing of sockets. Worker loops use lock-free structures only: a
 * lock that a parked coroutine holds would stop the worker that has to resume it.
 */
@NullMarked
package io.skein.internal.sched;

import org.jspecify.annotations.NullMarked;
