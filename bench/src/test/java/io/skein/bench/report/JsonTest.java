package io.skein.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonTest {
    @Test
    void writesNestedValuesInOrder() {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("name", "echo");
        document.put("rounds", List.of(1, 2L, 0.5));
        document.put("behind", false);
        document.put("nothing", Map.of());
        assertThat(Json.of(document)).isEqualTo("""
                {
                  "name": "echo",
                  "rounds": [
                    1,
                    2,
                    0.5
                  ],
                  "behind": false,
                  "nothing": {}
                }
                """);
    }

    @Test
    void escapesWhatStringsMustNotContain() {
        assertThat(Json.of("a\"b\\c\nd\te\u0001µ")).isEqualTo("\"a\\\"b\\\\c\\nd\\te\\u0001µ\"\n");
    }

    @Test
    void roundsToFourDecimals() {
        assertThat(Json.of(5.123456789)).isEqualTo("5.1235\n");
    }

    @Test
    void writesWhatIsNoNumberAsNull() {
        assertThat(Json.of(Double.POSITIVE_INFINITY)).isEqualTo("null\n");
        assertThat(Json.of(Double.NaN)).isEqualTo("null\n");
    }

    @Test
    void refusesWhatJsonDoesNotKnow() {
        assertThatIllegalArgumentException().isThrownBy(() -> Json.of('x'));
    }

    @Test
    void everyRoundAndMedianIsInTheDocument() {
        List<Round> rounds = List.of(Rounds.of("skein", 100, 1, 10, 5), Rounds.of("jdk", 100, 1, 5, 10));
        String document = Json.of(LoadJson.document(
                "echo",
                Map.of("jdk", "25"),
                Comparison.of(List.of("skein", "jdk"), rounds, Precision.FULL),
                new Findings(
                        List.of(sample("skein", 5), sample("jdk", 10)),
                        List.of(new Claim("echo: CPU", "skein", "jdk", Wanted.costAtMost(1))),
                        Precision.FULL),
                rounds,
                List.of()));
        assertThat(document)
                .contains("\"suite\": \"echo\"", "\"setup\": {\n    \"jdk\": \"25\"")
                .contains("\"perSecond\": 10.0", "\"serverCpuMicros\": 5.0")
                .contains("\"rival\": \"jdk\"", "\"throughput\": 2.0", "\"cpu\": 0.5", "\"behind\": false")
                .contains("\"serverCpuNanos\": 50000")
                .contains("\"over\": \"jdk\"", "\"holds\": true", "\"verdict\": \"ahead\"");
    }

    private static Sample sample(String contender, double cost) {
        return new Sample("echo: CPU", contender, 1, cost, "µs/req", 0, false);
    }
}
