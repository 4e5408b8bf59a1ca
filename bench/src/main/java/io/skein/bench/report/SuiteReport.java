package io.skein.bench.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a suite found, in the form that all suites share.
 *
 * @param setup what was run and where
 * @param text for a terminal
 * @param document for programs
 * @param findings what the claims came to
 */
public record SuiteReport(
        String suite,
        Map<String, Object> setup,
        String text,
        Map<String, Object> document,
        Findings findings,
        List<Chart> charts) {

    /** All of them for programs; one by itself is not put into a list. */
    public static String json(List<SuiteReport> reports) {
        if (reports.size() == 1) {
            return Json.of(reports.getFirst().document());
        }
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("suites", reports.stream().map(SuiteReport::document).toList());
        return Json.of(all);
    }
}
