/**
 * The benchmarks of what is built on coroutines, written for JMH: one class for each case. Nothing here compares or judges;
 * the harness does, and its suite says who runs with which flags.
 */
@NullMarked
package io.skein.bench.coroutine;

import org.jspecify.annotations.NullMarked;
