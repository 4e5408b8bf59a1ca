package io.skein.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A JVM in which whoever holds a monitor cannot give way. */
@Timeout(120)
class LockingModeTest {
    @Test
    void theStartFailsWithOneSentenceThatNamesTheFlag() throws Exception {
        Process process = start("-XX:LockingMode=1", "--add-opens=java.base/java.lang=ALL-UNNAMED");

        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).as(said).isEqualTo(1);
        assertThat(said).contains("IllegalStateException: ", "start Java without -XX:LockingMode=1");
        assertThat(said.lines()).as(said).hasSizeLessThan(12);
    }

    @Test
    void onTheJdksSchedulerItStarts() throws Exception {
        Process process = start("-XX:LockingMode=1", "--enable-native-access=ALL-UNNAMED");

        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).as(said).isZero();
        assertThat(said).contains("started ");
    }

    private static Process start(String... flags) throws Exception {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        flags[0],
                        flags[1],
                        "--class-path",
                        System.getProperty("jdk.module.path", System.getProperty("java.class.path")) + ":"
                                + ChildJvm.root(StartAndClose.class),
                        StartAndClose.class.getName())
                .redirectErrorStream(true)
                .start();
    }
}
