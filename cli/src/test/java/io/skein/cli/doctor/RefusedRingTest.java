package io.skein.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A virtual machine to which the kernel gives no ring: it has told the kernel to answer {@code io_uring_setup} with EPERM, as the
 * seccomp profiles of container runtimes do.
 */
@Timeout(60)
class RefusedRingTest {
    private static final String PROGRAM = """
            import io.skein.Skein;
            import io.skein.net.*;
            import java.lang.foreign.*;
            import java.lang.invoke.MethodHandle;
            import java.net.*;
            import java.nio.ByteBuffer;

            public class Refused {
                static final int NO_NEW_PRIVILEGES = 38;
                static final long SECCOMP = System.getProperty("os.arch").equals("aarch64") ? 277 : 317;
                static final int IO_URING_SETUP = 425;
                static final int EPERM = 1;

                public static void main(String[] arguments) throws Throwable {
                    refuseRings();
                    try (Skein skein = Skein.start()) {
                        System.out.println("describes itself: " + skein.describe());
                        System.out.println("echoed: " + skein.blockOn(() -> echo(skein)));
                    }
                    try {
                        Skein.builder().driver(io.skein.DriverKind.URING).start();
                    } catch (IllegalStateException e) {
                        System.out.println("forced: " + e.getMessage());
                    }
                    io.skein.cli.Main.main(new String[] {"doctor"});
                }

                static void refuseRings() throws Throwable {
                    Linker linker = Linker.nativeLinker();
                    MethodHandle syscall = linker.downcallHandle(
                            linker.defaultLookup().findOrThrow("syscall"),
                            FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG,
                                    ValueLayout.JAVA_LONG, ValueLayout.ADDRESS),
                            Linker.Option.firstVariadicArg(1));
                    MethodHandle prctl = linker.downcallHandle(
                            linker.defaultLookup().findOrThrow("prctl"),
                            FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG,
                                    ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG),
                            Linker.Option.firstVariadicArg(1));
                    check((int) prctl.invokeExact(NO_NEW_PRIVILEGES, 1L, 0L, 0L, 0L) == 0, "prctl");
                    try (Arena arena = Arena.ofConfined()) {
                        long[] instructions = {
                            instruction(0x20, 0, 0, 0), // load the number of the system call
                            instruction(0x15, 0, 1, IO_URING_SETUP), // is it this one?
                            instruction(0x06, 0, 0, 0x00050000 | EPERM), // then answer with the error
                            instruction(0x06, 0, 0, 0x7fff0000), // else let it pass
                        };
                        MemorySegment filter = arena.allocateFrom(ValueLayout.JAVA_LONG, instructions);
                        MemorySegment program = arena.allocate(16, 8);
                        program.set(ValueLayout.JAVA_SHORT, 0, (short) instructions.length);
                        program.set(ValueLayout.ADDRESS, 8, filter);
                        long setFilter = 1;
                        long forAllThreads = 1;
                        check((long) syscall.invokeExact(SECCOMP, setFilter, forAllThreads, program) == 0, "seccomp");
                    }
                }

                static long instruction(int code, int ifTrue, int ifFalse, int operand) {
                    return code | (long) ifTrue << 16 | (long) ifFalse << 24 | (long) operand << 32;
                }

                static String echo(Skein skein) throws Exception {
                    try (TcpListener listener = TcpListener.bind(skein, new InetSocketAddress("127.0.0.1", 0))) {
                        skein.spawn(() -> {
                            try (TcpStream peer = listener.accept()) {
                                ByteBuffer buffer = ByteBuffer.allocate(16);
                                peer.read(buffer);
                                peer.write(buffer.flip());
                            }
                        });
                        try (TcpStream stream = TcpStream.connect(listener.localAddress())) {
                            stream.write(ByteBuffer.wrap("hello".getBytes()));
                            ByteBuffer answer = ByteBuffer.allocate(16);
                            stream.read(answer);
                            return new String(answer.array(), 0, answer.position());
                        }
                    }
                }

                static void check(boolean condition, String what) {
                    if (!condition) {
                        throw new AssertionError(what + " failed");
                    }
                }
            }
            """;

    @TempDir
    private Path directory;

    @Test
    void skeinRunsWithoutTheRingAndSaysWhy() throws Exception {
        assumeTrue(System.getProperty("os.name").equals("Linux"), "seccomp is Linux's");
        Path source = Files.writeString(directory.resolve("Refused.java"), PROGRAM);
        Path output = directory.resolve("output");
        String classPath = Stream.of("jdk.module.path", "java.class.path")
                .map(name -> System.getProperty(name, ""))
                .filter(path -> !path.isEmpty())
                .collect(Collectors.joining(":"));
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--add-opens=java.base/java.lang=ALL-UNNAMED",
                        "--add-exports=java.base/jdk.internal.vm=ALL-UNNAMED",
                        "--enable-native-access=ALL-UNNAMED",
                        "--class-path",
                        classPath,
                        source.toString())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        boolean ended = process.waitFor(50, TimeUnit.SECONDS);
        process.destroyForcibly();
        List<String> lines = Files.readAllLines(output);
        String said = String.join("\n", lines);

        assertThat(ended).as(said).isTrue();
        assertThat(lines)
                .as("the log's line")
                .anyMatch(line -> line.contains("driver nio") && line.contains("because") && line.contains("EPERM"));
        assertThat(lines).anyMatch(line -> line.startsWith("describes itself: nio"));
        assertThat(lines).contains("echoed: hello");
        assertThat(lines)
                .anyMatch(
                        line -> line.startsWith("forced: the io_uring driver cannot be had") && line.contains("EPERM"));
        assertThat(said.substring(said.indexOf("forced:")).lines().skip(1))
                .as("what the doctor says")
                .anyMatch(line -> line.contains("io_uring") && line.contains("EPERM"))
                .anyMatch(line -> line.contains("nio"));
    }
}
