package io.skein.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A class path that was made by hand, and lacks a jar. */
@Timeout(120)
class MissingJarTest {
    @ParameterizedTest
    @ValueSource(strings = {"jctools-core", "jctools-core-jdk11"})
    void theStartFailsWithOneSentenceThatNamesTheJar(String jar) throws Exception {
        String all = System.getProperty("jdk.module.path", System.getProperty("java.class.path")) + ":"
                + ChildJvm.root(StartAndClose.class);
        String without = Arrays.stream(all.split(":"))
                .filter(entry -> !Path.of(entry).getFileName().toString().matches(jar + "-[0-9].*"))
                .collect(Collectors.joining(":"));
        assertThat(without).isNotEqualTo(all);
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--class-path",
                        without,
                        StartAndClose.class.getName())
                .redirectErrorStream(true)
                .start();

        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).isEqualTo(1);
        assertThat(said).contains("IllegalStateException: the jar " + jar + " is missing: ");
        assertThat(said.lines()).as(said).hasSizeLessThan(12);
    }
}
