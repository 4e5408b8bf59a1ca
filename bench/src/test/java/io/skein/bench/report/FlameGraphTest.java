package io.skein.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class FlameGraphTest {
    @Test
    void framesThatWereOnTopAreListedByHowOften() {
        FlameGraph graph = new FlameGraph("server");
        graph.add(List.of("main", "read"), 3);
        graph.add(List.of("main", "write"), 1);
        assertThat(graph.top(5)).containsExactly("  75.0 %  read", "  25.0 %  write");
    }

    @Test
    void aFrameIsAsWideAsItWasOftenThere() {
        FlameGraph graph = new FlameGraph("a < b");
        graph.add(List.of("main", "read"), 3);
        graph.add(List.of("main", "write"), 1);
        assertThat(graph.svg())
                .startsWith("<svg")
                .contains(
                        "a &lt; b, 4 samples", "main: 100.0 %", "read: 75.0 %", "width=\"1050.0\"", "width=\"350.0\"");
    }

    @Test
    void graphsAddUp() {
        FlameGraph one = new FlameGraph("one");
        one.add(List.of("main"), 2);
        FlameGraph other = new FlameGraph("other");
        other.add(List.of("main", "read"), 2);
        one.addAll(other);
        assertThat(one.count()).isEqualTo(4);
        assertThat(one.top(1)).containsExactly("  50.0 %  main");
    }

    @Test
    void nothingIsAPictureToo() {
        assertThat(new FlameGraph("idle").svg()).contains("0 samples");
        assertThat(new FlameGraph("idle").top(3)).isEmpty();
    }
}
