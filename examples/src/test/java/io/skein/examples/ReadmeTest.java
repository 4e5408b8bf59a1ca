package io.skein.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The code in the README is the code that {@code ./skein run TenLines} runs. */
class ReadmeTest {
    private static final Pattern JAVA_BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

    @Test
    void theProgramOfTheReadmeIsAnExample() throws Exception {
        String readme = Files.readString(Path.of("../README.md"));
        String shown = JAVA_BLOCK
                .matcher(readme)
                .results()
                .map(MatchResult::group)
                .findFirst()
                .orElseThrow()
                .replaceAll("^```java\n|```$", "");

        assertThat(Files.readString(Path.of("src/main/single-file/TenLines.java")))
                .endsWith("\n\n" + shown);
        assertThat(readme).contains("./skein run TenLines");
    }
}
