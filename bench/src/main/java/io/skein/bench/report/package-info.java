/** From rounds to figures: medians, ratios, the printed table and the JSON file. Knows nothing of how they came. */
@NullMarked
package io.skein.bench.report;

import org.jspecify.annotations.NullMarked;
