/**
 * Skein beside its rivals, measured in the same run. The harness of this package starts every server and the load
 * generator as processes of their own, drives one server at a time in interleaved rounds, and publishes where Skein
 * is behind before where it is ahead. Nothing here is published as a library.
 *
 * <p>Two kinds of suites: echo, which loads servers, and suites of small benchmarks, which JMH measures and {@link
 * io.skein.bench.MicroRun} interleaves. One more of those is a package with its benchmarks, a {@link
 * io.skein.bench.MicroSuite} that names its cases, contenders and what is wanted of them, and its line in {@link
 * io.skein.bench.Main}.
 */
@NullMarked
package io.skein.bench;

import org.jspecify.annotations.NullMarked;
