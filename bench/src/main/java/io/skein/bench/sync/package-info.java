/**
 * The benchmarks of what coroutines wait for, written for JMH: channels, selects, mutexes and timers, one class for each case.
 * Nothing here compares or judges; the harness does, and its suite says who runs with which flags.
 */
@NullMarked
package io.skein.bench.sync;

import org.jspecify.annotations.NullMarked;
