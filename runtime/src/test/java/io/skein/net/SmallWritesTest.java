package io.skein.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.skein.Await;
import io.skein.Coroutine;
import io.skein.Dispatch;
import io.skein.Setup;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A small write may be over before the kernel has it. Whatever comes next, its bytes arrive, and in their place. */
@Setup.Each
class SmallWritesTest extends NetworkTest {
    /** The largest write that need not wait. */
    private static final int SMALL = 4096;

    private static final int ROUNDS = 20;

    @TempDir
    Path folder;

    private final RandomGenerator random =
            RandomGeneratorFactory.of("L64X128MixRandom").create(14);

    SmallWritesTest(Setup setup) {
        super(setup);
    }

    /** A writer of the pattern, one write of some kind after the other. */
    private final class Writer {
        private final TcpStream stream;
        private final Path file;
        private long written;

        Writer(TcpStream stream) {
            this.stream = stream;
            this.file = folder.resolve("file");
        }

        private ByteBuffer next(int length, boolean direct) {
            ByteBuffer buffer = direct ? ByteBuffer.allocateDirect(length) : ByteBuffer.allocate(length);
            Pattern.fill(buffer, written);
            written += length;
            return buffer.flip();
        }

        void small() throws IOException {
            stream.write(next(1 + random.nextInt(SMALL), random.nextBoolean()));
        }

        void any() throws IOException {
            switch (random.nextInt(8)) {
                case 0 -> stream.write(next(SMALL - 1 + random.nextInt(3), random.nextBoolean()));
                case 1 -> stream.write(next(1 + random.nextInt(5 * SMALL), random.nextBoolean()));
                case 2 -> stream.write(next(1 + random.nextInt(SMALL), true), next(1 + random.nextInt(SMALL), false));
                case 3 -> file();
                default -> small();
            }
        }

        private void file() throws IOException {
            int length = 1 + random.nextInt(2 * SMALL);
            byte[] content = new byte[length];
            Pattern.fill(ByteBuffer.wrap(content), written);
            Files.write(file, content);
            assertThat(stream.transferFrom(file, 0, length)).isEqualTo(length);
            written += length;
        }
    }

    /** Reads the pattern to the end of the stream; returns how much it was. */
    private static long readPattern(Socket peer) throws IOException {
        InputStream in = peer.getInputStream();
        byte[] part = new byte[30_000];
        long received = 0;
        for (int count = in.read(part); count >= 0; count = in.read(part)) {
            Pattern.check(ByteBuffer.wrap(part, 0, count), received);
            received += count;
        }
        return received;
    }

    private static Future<Long> beginReading(Socket peer) {
        FutureTask<Long> reading = new FutureTask<>(() -> readPattern(peer));
        Thread.startVirtualThread(reading);
        return reading;
    }

    @Test
    void aCloseRightAfterSmallWritesLosesNone() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            try (PlainPair pair = plainPair()) {
                Writer writer = new Writer(pair.stream());
                int writes = round % 4;
                skein.blockOn(() -> {
                    for (int i = 0; i < writes; i++) {
                        writer.small();
                    }
                    pair.stream().close();
                });
                assertThat(readPattern(pair.peer())).isEqualTo(writer.written);
            }
        }
    }

    @Test
    void aCloseWhileSomebodyReadsLosesNoSmallWriteEither() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            try (PlainPair pair = plainPair()) {
                Writer writer = new Writer(pair.stream());
                Coroutine<?> reader = skein.spawn("reader", () -> {
                    assertThatExceptionOfType(SocketException.class)
                            .isThrownBy(() -> pair.stream().read(ByteBuffer.allocate(1)));
                });
                Await.untilWaiting(reader);
                skein.blockOn(() -> {
                    writer.small();
                    pair.stream().close();
                });
                assertThat(readPattern(pair.peer())).isEqualTo(writer.written);
                reader.join();
            }
        }
    }

    @Test
    void aShutdownOfTheOutputRightAfterSmallWritesLosesNone() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            try (PlainPair pair = plainPair()) {
                Writer writer = new Writer(pair.stream());
                long sent = skein.blockOn(() -> {
                    writer.small();
                    writer.small();
                    long all = writer.written;
                    pair.stream().shutdownOutput();
                    assertThatExceptionOfType(SocketException.class).isThrownBy(writer::small);
                    assertThatExceptionOfType(SocketException.class).isThrownBy(writer::small);
                    return all;
                });
                assertThat(readPattern(pair.peer())).isEqualTo(sent);
            }
        }
    }

    @Test
    void writesOfAllKindsKeepTheirOrder() throws Exception {
        try (PlainPair pair = plainPair()) {
            Writer writer = new Writer(pair.stream());
            Coroutine<?> writing = skein.spawn("writer", () -> {
                for (int i = 0; i < 4 * ROUNDS; i++) {
                    writer.any();
                }
                pair.stream().close();
            });
            long received = readPattern(pair.peer());
            writing.join();
            assertThat(received).isEqualTo(writer.written);
        }
    }

    @Test
    void writesFromOneWorkerAfterTheOtherKeepTheirOrder() throws Exception {
        try (PlainPair pair = plainPair()) {
            Writer writer = new Writer(pair.stream());
            Future<Long> received = beginReading(pair.peer());
            Dispatch inTurn = Dispatch.roundRobin();
            for (int i = 0; i < ROUNDS; i++) {
                Coroutine<?> turn = skein.spawn(inTurn, () -> {
                    writer.any();
                    writer.small();
                });
                turn.join();
            }
            pair.stream().close();
            assertThat(received.get()).isEqualTo(writer.written);
        }
    }

    @Test
    void writesFromAPlatformThreadKeepTheirOrder() throws Exception {
        try (PlainPair pair = plainPair()) {
            Writer writer = new Writer(pair.stream());
            Future<Long> received = beginReading(pair.peer());
            for (int i = 0; i < ROUNDS; i++) {
                writer.any();
            }
            pair.stream().close();
            assertThat(received.get()).isEqualTo(writer.written);
        }
    }

    @Test
    void afterAResetEveryWriteFailsSoonAndForEver() throws Exception {
        try (PlainPair pair = plainPair()) {
            Writer writer = new Writer(pair.stream());
            pair.peerResets();
            skein.blockOn(() -> {
                assertThatExceptionOfType(SocketException.class).isThrownBy(() -> {
                    while (true) {
                        writer.small();
                    }
                });
                for (int i = 0; i < 3; i++) {
                    assertThatExceptionOfType(SocketException.class).isThrownBy(writer::small);
                    assertThatExceptionOfType(SocketException.class)
                            .isThrownBy(() -> pair.stream().write(bytes("a"), bytes("b")));
                }
            });
        }
    }

    @Test
    void whatWasWrittenWhenTheRuntimeIsClosedArrives() throws Exception {
        try (PlainPair pair = plainPair()) {
            Writer writer = new Writer(pair.stream());
            skein.blockOn(writer::small);
            skein.close();
            assertThat(readPattern(pair.peer())).isEqualTo(writer.written);
        }
    }
}
