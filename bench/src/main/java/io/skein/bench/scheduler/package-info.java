/**
 * The scheduler's benchmarks, written for JMH: one class for each case, the same code for every contender that can run
 * it. Nothing here compares or judges; the harness does, and its suite says who runs with which flags.
 */
@NullMarked
package io.skein.bench.scheduler;

import org.jspecify.annotations.NullMarked;
