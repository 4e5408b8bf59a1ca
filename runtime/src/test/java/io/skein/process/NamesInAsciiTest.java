package io.skein.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.DriverKind;
import java.nio.file.Path;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A server in the POSIX locale, where no path stands for a name that is not ASCII: a peer may have such a name all the same. */
@Timeout(120)
class NamesInAsciiTest {
    @TempDir
    private Path directory;

    @ParameterizedTest
    @EnumSource(names = {"URING", "NIO"})
    void aPeerWhoseNameIsNotAsciiIsServedAndHurtsNobody(DriverKind driver) throws Exception {
        try (ChildJvm child = new ChildJvm(
                directory, "export LC_ALL=POSIX", OddlyNamedPeers.class, driver.name(), directory.toString())) {
            assertThat(child.await("names in")).isEqualTo("ANSI_X3.4-1968");
            child.await("served");
            assertThat(child.lines())
                    .contains("peer " + directory + "/\\xc3\\xbc0")
                    .noneMatch(line -> line.startsWith("failure"));
        }
    }
}
