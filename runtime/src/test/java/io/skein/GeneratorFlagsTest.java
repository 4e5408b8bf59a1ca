package io.skein;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The same program in virtual machines of its own, with and without the flags: a generator works in each. */
@Timeout(60)
class GeneratorFlagsTest {
    private static final String PROGRAM = """
            import io.skein.*;
            import io.skein.net.*;
            import java.nio.ByteBuffer;
            import java.util.*;
            import java.util.concurrent.*;
            import java.util.concurrent.atomic.*;
            import java.util.stream.*;

            public class Program {
                static final AtomicReference<Thread> body = new AtomicReference<>();

                public static void main(String[] arguments) throws Exception {
                    String expected = arguments[0];
                    everywhere();
                    check(expected, Thread.currentThread());
                    Thread virtual = Thread.ofVirtual().unstarted(() -> everywhere());
                    virtual.start();
                    virtual.join();
                    try (Skein skein = Skein.builder().workers(2).start()) {
                        skein.blockOn(() -> {
                            everywhere();
                            check(expected, Thread.currentThread());
                            check(reads(skein) == 4950, "the bytes are others");
                        });
                        cancels(skein);
                        skein.blockOn(() -> Generator.of(emitter -> emitter.emit(1)).next()); // abandoned
                    }
                    abandons();
                    System.out.println("done");
                }

                static void everywhere() {
                    Generator<Integer> numbers = Generator.of(emitter -> {
                        body.set(Thread.currentThread());
                        for (int i = 0; i < 100; i++) {
                            if (i % 10 == 0) {
                                Thread.sleep(1);
                            }
                            emitter.emit(i);
                        }
                    });
                    check(numbers.stream().mapToInt(i -> i).sum() == 4950, "the sum is another");
                    check(nested(2_000).stream().toList().equals(List.of(42)), "not nested");
                    AtomicInteger closed = new AtomicInteger();
                    Generator<Integer> endless = Generator.of(emitter -> {
                        try {
                            while (true) {
                                emitter.emit(1);
                            }
                        } finally {
                            closed.incrementAndGet();
                        }
                    });
                    endless.next();
                    endless.close();
                    check(closed.get() == 1, "not closed");
                }

                static Generator<Integer> nested(int depth) {
                    return Generator.of(emitter -> {
                        if (depth == 0) {
                            emitter.emit(42);
                        } else {
                            emitter.emitAll(nested(depth - 1));
                        }
                    });
                }

                static int reads(Skein skein) throws Exception {
                    try (TcpListener listener = TcpListener.bind("127.0.0.1", 0)) {
                        skein.spawn(() -> {
                            try (TcpStream stream = listener.accept()) {
                                for (byte i = 0; i < 100; i++) {
                                    stream.write(ByteBuffer.wrap(new byte[] {i}));
                                }
                            }
                        });
                        Generator<Byte> bytes = Generator.of(emitter -> {
                            check(Skein.current() == skein, "the body is in no runtime");
                            try (TcpStream stream = TcpStream.connect(listener.localAddress())) {
                                ByteBuffer buffer = ByteBuffer.allocate(16);
                                while (stream.read(buffer.clear()) >= 0) {
                                    buffer.flip();
                                    while (buffer.hasRemaining()) {
                                        emitter.emit(buffer.get());
                                    }
                                }
                            }
                        });
                        return bytes.stream().mapToInt(b -> b).sum();
                    }
                }

                static void cancels(Skein skein) throws Exception {
                    CountDownLatch waiting = new CountDownLatch(1);
                    Coroutine<Object> consumer = skein.spawn(() -> Generator.of(emitter -> {
                        waiting.countDown();
                        new CountDownLatch(1).await();
                    }).next());
                    waiting.await();
                    consumer.cancel(true);
                    try {
                        consumer.join();
                        throw new AssertionError("not cancelled");
                    } catch (CancellationException e) {
                        // as it should be
                    }
                }

                static void abandons() throws Exception {
                    List<Thread> bodies = new ArrayList<>();
                    for (int i = 0; i < 100; i++) {
                        Generator.of(emitter -> {
                            bodies.add(Thread.currentThread());
                            while (true) {
                                emitter.emit(1);
                            }
                        }).next();
                    }
                    for (Thread thread : bodies) {
                        while (thread != Thread.currentThread() && thread.isAlive()) {
                            System.gc();
                            thread.join(java.time.Duration.ofMillis(10));
                        }
                    }
                }

                static void check(String expected, Thread consumer) {
                    check((body.get() == consumer) == expected.equals("continuation"), "the body ran on " + body.get());
                }

                static void check(boolean condition, String otherwise) {
                    if (!condition) {
                        throw new AssertionError(otherwise);
                    }
                }
            }
            """;

    @TempDir
    private Path directory;

    private @Nullable Process process;

    @AfterEach
    void end() throws InterruptedException {
        if (process != null && process.isAlive()) {
            process.destroyForcibly().waitFor();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "continuation, --add-opens=java.base/java.lang=ALL-UNNAMED --enable-native-access=ALL-UNNAMED",
        "continuation, --add-opens=java.base/java.lang=ALL-UNNAMED",
        "hand-over, --enable-native-access=ALL-UNNAMED",
        "hand-over, --add-opens=java.base/java.lang=ALL-UNNAMED -Dskein.portable=true",
    })
    void aGeneratorWorksWhateverTheFlags(String suspension, String flags) throws Exception {
        Path source = Files.writeString(directory.resolve("Program.java"), PROGRAM);
        Path output = directory.resolve("output");

        Process program = start(source, suspension, List.of(flags.split(" ")), output);
        process = program;

        boolean ended = program.waitFor(50, TimeUnit.SECONDS);
        List<String> lines = Files.readAllLines(output);
        assertThat(ended).as("the program ended; it said %s", lines).isTrue();
        assertThat(program.exitValue()).as("the exit value; it said %s", lines).isZero();
        assertThat(lines).contains("done");
    }

    private static Process start(Path source, String suspension, List<String> flags, Path output) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags);
        command.addAll(List.of(
                "-XX:TieredStopAtLevel=1",
                "--class-path",
                System.getProperty("jdk.module.path"),
                source.toString(),
                suspension));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
    }
}
