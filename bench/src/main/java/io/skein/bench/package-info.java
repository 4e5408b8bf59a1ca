/**
 * Skein beside its rivals, measured in the same run. The harness of this package starts every server and the load
 * generator as processes of their own, drives one server at a time in interleaved rounds, and publishes where Skein
 * is behind before where it is ahead. Nothing here is published as a library.
 *
 * <p>Two kinds of suites. Those of servers under load are plans for {@link io.skein.bench.LoadSuite}: scenarios and
 * contenders. Those of small benchmarks are measured by JMH and interleaved by {@link io.skein.bench.MicroRun}; one more of
 * them is a package with its benchmarks, a {@link io.skein.bench.MicroSuite} that names its cases, contenders and what is
 * wanted of them, and its line in {@link io.skein.bench.Main}. Both end as a {@link io.skein.bench.report.SuiteReport}, which
 * is all that tables, files and the page are made of.
 */
@NullMarked
package io.skein.bench;

import org.jspecify.annotations.NullMarked;
