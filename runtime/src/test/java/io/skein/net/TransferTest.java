package io.skein.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skein.Await;
import io.skein.Coroutine;
import io.skein.Setup;
import io.skein.ThreadKind;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.NonWritableChannelException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Setup.OnePerDriver
class TransferTest extends NetworkTest {
    private static final int LENGTH = 1_000_000;

    @TempDir
    Path folder;

    private Path file;

    TransferTest(Setup setup) {
        super(setup);
    }

    @BeforeEach
    void writeTheFile() throws IOException {
        file = folder.resolve("file");
        byte[] content = new byte[LENGTH];
        Pattern.fill(ByteBuffer.wrap(content), 0);
        Files.write(file, content);
    }

    private void expectAtServer(Pair pair, long offset, int length) throws IOException {
        ByteBuffer target = ByteBuffer.allocateDirect(length);
        pair.server().readFully(target);
        Pattern.check(target.flip(), offset);
    }

    @Test
    void aFileIsSentAsAWhole() throws Exception {
        try (Pair pair = pair()) {
            Coroutine<Long> sender = skein.spawn("sender", () -> pair.client().transferFrom(file, 0, Long.MAX_VALUE));
            skein.blockOn(() -> expectAtServer(pair, 0, LENGTH));
            assertThat(sender.join()).isEqualTo(LENGTH);
        }
    }

    @Test
    void aPartOfAFileIsSentAndNoMore() throws Exception {
        try (Pair pair = pair();
                FileChannel channel = FileChannel.open(file)) {
            Coroutine<?> sender = skein.spawn("sender", () -> {
                assertThat(pair.client().transferFrom(file, 1000, 200_000)).isEqualTo(200_000);
                assertThat(pair.client().transferFrom(channel, 5000, 200_000)).isEqualTo(200_000);
                assertThat(pair.client().transferFrom(file, LENGTH - 10, 100)).isEqualTo(10);
                assertThat(pair.client().transferFrom(channel, LENGTH - 10, 100))
                        .isEqualTo(10);
                assertThat(pair.client().transferFrom(file, LENGTH, 100)).isZero();
                assertThat(pair.client().transferFrom(file, 0, 0)).isZero();
                pair.client().shutdownOutput();
            });
            skein.blockOn(() -> {
                expectAtServer(pair, 1000, 200_000);
                expectAtServer(pair, 5000, 200_000);
                expectAtServer(pair, LENGTH - 10, 10);
                expectAtServer(pair, LENGTH - 10, 10);
                assertThat(pair.server().read(ByteBuffer.allocate(1))).isEqualTo(-1);
            });
            sender.join();
        }
    }

    @Test
    void otherThreadsMaySendFiles() throws Exception {
        try (Pair pair = pair()) {
            assertThat(pair.client().transferFrom(file, 7, 1000)).isEqualTo(1000);
            expectAtServer(pair, 7, 1000);
        }
    }

    @Test
    void whatArrivesIsWrittenToAFile() throws Exception {
        Path copy = folder.resolve("copy");
        try (Pair pair = pair();
                FileChannel target = FileChannel.open(copy, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            Coroutine<?> sender = skein.spawn("sender", () -> {
                pair.client().transferFrom(file, 0, LENGTH);
                pair.client().shutdownOutput();
            });
            skein.blockOn(() -> {
                assertThat(pair.server().transferTo(target, 0, 1000)).isEqualTo(1000);
                assertThat(pair.server().transferTo(target, 1000, Long.MAX_VALUE))
                        .isEqualTo(LENGTH - 1000);
                assertThat(pair.server().transferTo(target, LENGTH, 1)).isZero();
            });
            sender.join();
        }
        assertThat(Files.mismatch(file, copy)).isEqualTo(-1);
    }

    @ParameterizedTest
    @EnumSource
    void whatAFileDoesNotTakeIsReadAgain(ThreadKind user) throws Exception {
        try (Pair pair = pair();
                FileChannel readOnly = FileChannel.open(file)) {
            Coroutine<Long> sender = skein.spawn("sender", () -> pair.client().transferFrom(file, 0, 100_000));
            user.call(skein, () -> {
                for (int i = 0; i < 3; i++) {
                    assertThatExceptionOfType(NonWritableChannelException.class)
                            .isThrownBy(() -> pair.server().transferTo(readOnly, 0, 100_000));
                }
                ByteBuffer some = ByteBuffer.allocateDirect(10_000);
                pair.server().readFully(some);
                Pattern.check(some.flip(), 0);
                assertThatExceptionOfType(NonWritableChannelException.class)
                        .isThrownBy(() -> pair.server().transferTo(readOnly, 0, 7));
                expectAtServer(pair, 10_000, 90_000);
                return true;
            });
            assertThat(sender.join()).isEqualTo(100_000);
        }
    }

    @Test
    void aFullDiskLosesNothingThatCameThroughAHalfOrABuffer() throws Exception {
        Path full = Path.of("/dev/full");
        assumeTrue(Files.isWritable(full), "this system has no /dev/full");
        try (Pair pair = pair();
                FileChannel target = FileChannel.open(full, StandardOpenOption.WRITE)) {
            ByteSource half = pair.server().split().reader();
            BufferedSource buffered = new BufferedSource(half, 16);
            pair.client().transferFrom(file, 0, 1000);
            skein.blockOn(() -> {
                for (ByteSource source : List.of(half, buffered)) {
                    assertThatExceptionOfType(IOException.class)
                            .isThrownBy(() -> source.transferTo(target, 0, 1000))
                            .withMessageContaining("space");
                }
                ByteBuffer all = ByteBuffer.allocate(1000);
                buffered.readFully(all);
                Pattern.check(all.flip(), 0);
            });
        }
    }

    @Test
    void aFileThatFailsInTheMiddleTellsHowMuchItHasAndTheRestIsReadAgain() throws Exception {
        Path copy = folder.resolve("copy");
        FileChannel target = FileChannel.open(copy, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try (Pair pair = pair()) {
            Coroutine<Long> receiver =
                    skein.spawn("receiver", () -> pair.server().transferTo(target, 0, 10));
            send(pair.client(), "hello");
            Await.until("the first bytes are in the file", () -> Files.size(copy) == 5);

            target.close();
            send(pair.client(), "world");

            assertThat(receiver.join()).isEqualTo(5);
            assertThat(receive(pair.server(), 5)).isEqualTo("world");
        }
    }

    @Test
    void anInterruptLeavesTheFileOpenAndLosesNothing() throws Exception {
        Path copy = folder.resolve("copy");
        try (Pair pair = pair();
                FileChannel target = FileChannel.open(copy, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            Coroutine<Long> receiver =
                    skein.spawn("receiver", () -> pair.server().transferTo(target, 0, 10));
            send(pair.client(), "hello");
            Await.until("the first bytes are in the file", () -> Files.size(copy) == 5);

            receiver.cancel(true);

            assertThat(receiver.join()).isEqualTo(5);
            send(pair.client(), "world");
            assertThat(pair.server().transferTo(target, 5, 5)).isEqualTo(5);
            assertThat(copy).hasContent("helloworld");
        }
    }

    /** What goes out in one call; on a busy machine the time may pass before anything did. */
    private static long firstPart(TcpStream stream, Path large) throws IOException {
        while (true) {
            try {
                return stream.transferFrom(large, 0, 32 << 20);
            } catch (SocketTimeoutException nothing) {
                // once more, then
            }
        }
    }

    @Test
    void aTimeoutTellsHowMuchWasSentAndTheRestCanBe() throws Exception {
        Path large = folder.resolve("large");
        try (FileChannel channel = FileChannel.open(large, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.allocate(1), (32 << 20) - 1);
        }
        try (Pair pair = pair()) {
            skein.blockOn(() -> {
                pair.client().writeTimeout(Duration.ofMillis(30));
                long sent = firstPart(pair.client(), large);
                assertThat(sent).isBetween(1L, (32L << 20) - 1);
                for (long more = sent; more > 0; sent += more) { // until the kernel takes nothing any more
                    try {
                        more = pair.client().transferFrom(large, sent, (32 << 20) - sent);
                    } catch (SocketTimeoutException e) {
                        more = 0;
                    }
                }
                pair.client().shutdownOutput();
                long received = 0;
                ByteBuffer target = ByteBuffer.allocateDirect(1 << 20);
                for (int count = 0; count >= 0; count = pair.server().read(target.clear())) {
                    received += count;
                }
                assertThat(received).isEqualTo(sent);
            });
        }
    }

    @Test
    void aFileThatIsNotThereIsToldByName() throws Exception {
        try (Pair pair = pair()) {
            assertThatExceptionOfType(NoSuchFileException.class)
                    .isThrownBy(() -> pair.client().transferFrom(folder.resolve("none"), 0, 1))
                    .withMessageContaining("none");
            assertThatIllegalArgumentException().isThrownBy(() -> pair.client().transferFrom(file, -1, 1));
        }
    }
}
