package io.skein.bench.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedStackTrace;
import org.jspecify.annotations.Nullable;

/** Stacks, put together where they begin alike. As a picture, a frame is as wide as it was often there. One thread. */
public final class FlameGraph {
    private static final int WIDTH = 1400;
    private static final int HEIGHT = 17;
    private static final double LETTER = 6.6;
    private static final double NARROWEST = 0.4;

    /** What the JVM adds to the names of classes that have none of their own. */
    private static final Pattern HIDDEN = Pattern.compile("[./]0x[0-9a-f]+$");

    private final String title;
    private final Node root = new Node("all");

    public FlameGraph(String title) {
        this.title = title;
    }

    private static final class Node {
        final String name;
        final Map<String, Node> callees = new TreeMap<>();
        long count;

        Node(String name) {
            this.name = name;
        }

        long self() {
            return count
                    - callees.values().stream().mapToLong(node -> node.count).sum();
        }

        int depth() {
            return 1 + callees.values().stream().mapToInt(Node::depth).max().orElse(0);
        }
    }

    /** A sample without a stack is left out. */
    public void add(@Nullable RecordedStackTrace stack) {
        if (stack == null) {
            return;
        }
        List<String> frames = new ArrayList<>();
        for (RecordedFrame frame : stack.getFrames()) {
            frames.addFirst(name(frame.getMethod()));
        }
        add(frames, 1);
    }

    /**
     * Adds a stack.
     *
     * @param frames the outermost first
     */
    public void add(List<String> frames, long count) {
        Node node = root;
        node.count += count;
        for (String frame : frames) {
            node = node.callees.computeIfAbsent(frame, Node::new);
            node.count += count;
        }
    }

    public void addAll(FlameGraph other) {
        merge(other.root, root);
    }

    private static void merge(Node from, Node into) {
        into.count += from.count;
        from.callees.forEach((name, node) -> merge(node, into.callees.computeIfAbsent(name, Node::new)));
    }

    private static String name(RecordedMethod method) {
        String type = HIDDEN.matcher(method.getType().getName()).replaceFirst("");
        return type.substring(type.lastIndexOf('.') + 1) + "." + method.getName();
    }

    public long count() {
        return root.count;
    }

    /** The frames that were most often on top of a stack, a line each. */
    public List<String> top(int most) {
        Map<String, Long> selves = new HashMap<>();
        collect(root, selves);
        return selves.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder())
                        .thenComparing(Map.Entry.comparingByKey()))
                .limit(most)
                .filter(entry -> entry.getValue() > 0)
                .map(entry ->
                        String.format(Locale.ROOT, "%6.1f %%  %s", 100.0 * entry.getValue() / count(), entry.getKey()))
                .toList();
    }

    private static void collect(Node node, Map<String, Long> selves) {
        selves.merge(node.name, node.self(), Long::sum);
        node.callees.values().forEach(callee -> collect(callee, selves));
    }

    /** The picture, which needs nothing else to be shown. */
    public String svg() {
        int height = (root.depth() + 2) * HEIGHT;
        StringBuilder svg = new StringBuilder();
        svg.append(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"monospace\""
                        + " font-size=\"11\">%n<text x=\"4\" y=\"13\">%s, %d samples</text>%n",
                WIDTH,
                height,
                Html.escape(title),
                count()));
        draw(svg, root, 0, height - HEIGHT);
        return svg.append("</svg>\n").toString();
    }

    private void draw(StringBuilder svg, Node node, double x, int y) {
        double width = (double) WIDTH * node.count / Math.max(1, count());
        if (width < NARROWEST) {
            return;
        }
        String name = Html.escape(node.name);
        int letters = (int) (width / LETTER);
        String label = letters < 3
                ? ""
                : Html.escape(node.name.length() <= letters ? node.name : node.name.substring(0, letters - 1) + "…");
        svg.append(String.format(
                Locale.ROOT,
                "<g><title>%s: %.1f %%</title><rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"hsl(%d,70%%,68%%)\""
                        + " stroke=\"white\" stroke-width=\".5\"/><text x=\"%.1f\" y=\"%d\">%s</text></g>%n",
                name,
                100.0 * node.count / count(),
                x,
                y,
                width,
                HEIGHT - 1,
                Math.floorMod(node.name.hashCode(), 50) + 5,
                x + 2,
                y + 12,
                label));
        double left = x;
        for (Node callee : node.callees.values()) {
            draw(svg, callee, left, y - HEIGHT);
            left += (double) WIDTH * callee.count / Math.max(1, count());
        }
    }
}
