package io.skein;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skein.internal.loom.Loom;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code jcmd} shows of coroutines. */
@Setup.OnePerDriver
class ThreadDumpTest extends RuntimeTest {
    ThreadDumpTest(Setup setup) {
        super(setup);
    }

    /** The first makes the JVM listen on a socket of its own. */
    @BeforeAll
    static void dumpOnce(@TempDir Path folder) throws Exception {
        dump(folder.resolve("first.json"));
    }

    @Test
    void aChildStandsUnderItsScopeAndNowhereElse(@TempDir Path folder) throws Exception {
        assumeTrue(Loom.available(), "the JDK's groups of threads need flags");
        Semaphore goOn = new Semaphore(0);
        Coroutine<?> owner = skein.spawn("dumped-owner", () -> {
            try (Scope<Object, ?> scope = Scope.open(Scope.Policy.allSucceed(), o -> o.withName("dumped-scope"))) {
                Coroutine<?> child = scope.fork("dumped-child", () -> goOn.acquire());
                Await.untilWaiting(child);
                scope.join();
            }
        });
        Await.untilWaiting(owner);
        String dump;
        try {
            dump = dump(folder.resolve("threads.json"));
        } finally {
            goOn.release();
        }

        int runtimeAt = dump.indexOf("\"container\": \"skein-test");
        int ownerAt = dump.indexOf("\"dumped-owner\"");
        int scopeAt = dump.indexOf("\"container\": \"dumped-scope");
        int childAt = dump.indexOf("\"dumped-child\"");
        assertThat(runtimeAt).isNotNegative().isLessThan(ownerAt);
        assertThat(scopeAt).isGreaterThan(ownerAt).isLessThan(childAt);
        assertThat(dump.indexOf("\"dumped-child\"", childAt + 1)).isNegative();
    }

    private static String dump(Path file) throws IOException, InterruptedException {
        Process jcmd = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                        Long.toString(ProcessHandle.current().pid()),
                        "Thread.dump_to_file",
                        "-format=json",
                        file.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(jcmd.getInputStream().readAllBytes(), UTF_8);
        assertThat(jcmd.waitFor()).as(said).isZero();
        return Files.readString(file);
    }
}
