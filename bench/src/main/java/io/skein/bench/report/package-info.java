/** From rounds to figures: medians, ratios, and what they are told in: tables, JSON, pictures, a page. Knows nothing of how they came. */
@NullMarked
package io.skein.bench.report;

import org.jspecify.annotations.NullMarked;
