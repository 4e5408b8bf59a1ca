package io.skein.bench.report;

import java.util.List;

/**
 * Lines over a common axis, for the page.
 *
 * @param points what the axis has, from left to right
 * @param unit of the values
 */
public record Chart(String title, List<String> points, String unit, List<Line> lines) {
    /**
     * One contender.
     *
     * @param values by point; NaN where there is none
     */
    public record Line(String contender, List<Double> values) {}
}
