package io.skein.bench;

import io.skein.bench.report.Comparison;
import io.skein.bench.report.Round;
import java.util.List;
import java.util.Map;

/**
 * What the echo suite found.
 *
 * @param setup what was run and where, for the JSON file
 * @param rounds what counts
 * @param repeated rounds that were disturbed, and so were driven again and do not count
 */
record EchoOutcome(Map<String, Object> setup, List<Comparison> comparisons, List<Round> rounds, List<Round> repeated) {}
