package io.skein.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonTest {

    @Test
    void writesPlainValues() {
        assertThat(Json.write("ring")).isEqualTo("\"ring\"");
        assertThat(Json.write(7)).isEqualTo("7");
        assertThat(Json.write(Long.MAX_VALUE)).isEqualTo("9223372036854775807");
        assertThat(Json.write(true)).isEqualTo("true");
        assertThat(Json.write(null)).isEqualTo("null");
    }

    @Test
    void escapesQuotesAndBackslashes() {
        assertThat(Json.write("say \"hi\" in C:\\tmp")).isEqualTo("\"say \\\"hi\\\" in C:\\\\tmp\"");
    }

    @Test
    void escapesControlCharacters() {
        assertThat(Json.write("a\nb\rc\td\u0000e\u001bf\u007f")).isEqualTo("\"a\\nb\\rc\\td\\u0000e\\u001bf\\u007f\"");
    }

    @Test
    void keepsOtherTextAsItIsAndEscapesWhatUtf8CannotCarry() {
        assertThat(Json.write("µs / 日本")).isEqualTo("\"µs / 日本\"");
        assertThat(Json.write("\ud800")).isEqualTo("\"\\ud800\"");
        assertThat(Json.write("\ud83e\uddf5")).isEqualTo("\"\\ud83e\\uddf5\"");
    }

    @Test
    void indentsObjectsAndArraysInTheirOwnOrder() {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("zebra", List.of("one", 2));
        object.put("ant", Map.of("deep", false));

        assertThat(Json.write(object)).isEqualTo("""
                {
                  "zebra": [
                    "one",
                    2
                  ],
                  "ant": {
                    "deep": false
                  }
                }""");
    }

    @Test
    void writesEmptyObjectsAndArraysOnOneLine() {
        assertThat(Json.write(Map.of())).isEqualTo("{}");
        assertThat(Json.write(List.of())).isEqualTo("[]");
    }

    @Test
    void escapesKeysToo() {
        assertThat(Json.write(Map.of("a\"b", 1))).isEqualTo("{\n  \"a\\\"b\": 1\n}");
    }

    @Test
    void refusesWhatJsonHasNoWordFor() {
        assertThatIllegalArgumentException().isThrownBy(() -> Json.write(new Object()));
    }
}
