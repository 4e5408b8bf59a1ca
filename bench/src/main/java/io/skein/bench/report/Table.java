package io.skein.bench.report;

import java.util.ArrayList;
import java.util.List;

/** Lines of text in aligned columns: the first column to the left, the others to the right. */
final class Table {
    private static final String GAP = "   ";

    private final List<List<String>> rows = new ArrayList<>();

    Table(String... headings) {
        rows.add(List.of(headings));
    }

    void row(String... cells) {
        if (cells.length != rows.getFirst().size()) {
            throw new IllegalArgumentException("expected " + rows.getFirst().size() + " cells, not " + cells.length);
        }
        rows.add(List.of(cells));
    }

    String render() {
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < row.size(); column++) {
                String padding = " ".repeat(width(column) - row.get(column).length());
                line.append(column == 0 ? "" : GAP + padding)
                        .append(row.get(column))
                        .append(column == 0 ? padding : "");
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }

    private int width(int column) {
        return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
    }
}
