package io.skein.internal.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skein.Await;
import io.skein.Coroutine;
import io.skein.DriverKind;
import io.skein.Setup;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What closes a file, and who is still inside. */
@Setup.Each
class FileCloseTest extends FileTest {
    FileCloseTest(Setup setup) {
        super(setup);
    }

    @Test
    void aClosedFileRefusesEverything() throws Exception {
        Path path = file("hello");
        skein.blockOn(() -> {
            FileHandle file = files().open(path, Set.of(READ, WRITE));
            file.close();
            file.close();

            expectClosed("read", () -> file.read(ByteBuffer.allocate(1), 0));
            expectClosed("read", () -> file.read(new ByteBuffer[0], 0));
            expectClosed("write", () -> file.write(bytes("a"), 0));
            expectClosed("write", () -> file.write(new ByteBuffer[0], 0));
            expectClosed("sync", () -> file.sync(true));
            expectClosed("resize", () -> file.resize(0));
            expectClosed("allocate", () -> file.allocate(0, 1));
            expectClosed("status", file::status);
            expectClosed("advise", () -> file.advise(0, 1, Advice.NORMAL));
            expectClosed("transfer from", () -> file.transferTo(0, 1, file, 0));
        });
        assertThat(path).hasContent("hello");
    }

    private void expectClosed(String operation, ThrowingCallable call) {
        assertThatExceptionOfType(FileSystemException.class)
                .isThrownBy(call)
                .withMessage(directory.resolve("file") + ": " + operation + ": closed");
    }

    @Test
    void whoIsInsideWhenAFileIsClosedReadsTheRightFile() throws Exception {
        Path path = file("hello");
        for (int round = 0; round < 20; round++) {
            FileHandle file = skein.blockOn(() -> files().open(path, Set.of()));
            AtomicInteger reads = new AtomicInteger();
            List<Coroutine<?>> readers = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                readers.add(skein.spawn("reader", () -> readUntilClosed(file, reads)));
            }
            Await.until("somebody reads", () -> reads.get() > 10);

            skein.blockOn(file::close);

            for (Coroutine<?> reader : readers) {
                reader.join();
            }
        }
    }

    private static void readUntilClosed(FileHandle file, AtomicInteger reads) throws IOException {
        ByteBuffer target = ByteBuffer.allocate(5);
        while (true) {
            try {
                assertThat(file.read(target.clear(), 0)).isEqualTo(5);
                assertThat(text(target)).isEqualTo("hello");
                reads.incrementAndGet();
            } catch (FileSystemException e) {
                assertThat(e.getReason()).startsWith("read: closed");
                return;
            }
        }
    }

    /** The JDK has no way to wake who waits for a pipe but to fail everybody, so only rings are asked for that. */
    @Test
    void whoWaitsForBytesIsWokenByWhoCloses() throws Exception {
        assumeTrue(setup.driver() == DriverKind.URING, "the JDK cannot end a call on a pipe");
        Path fifo = directory.resolve("fifo");
        assertThat(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor())
                .isZero();
        FileHandle file = skein.blockOn(() -> files().open(fifo, Set.of(READ, WRITE)));
        List<Coroutine<?>> readers = new ArrayList<>();
        for (ByteBuffer target : buffers(10)) {
            readers.add(skein.spawn("reader", () -> {
                assertThatExceptionOfType(FileSystemException.class)
                        .isThrownBy(() -> file.read(target, 0))
                        .withMessage(fifo + ": read: closed by another thread");
            }));
        }
        readers.forEach(Await::untilWaiting);

        file.close();

        for (Coroutine<?> reader : readers) {
            reader.join();
        }
    }

    @Test
    void aFileThatWasLeftOpenIsClosedWithTheRuntime() throws Exception {
        Path path = file("hello");
        skein.blockOn(() -> {
            for (int i = 0; i < 10; i++) {
                files().open(path, Set.of());
            }
        });
    }

    @Test
    void anyThreadMayCloseAFile() throws Exception {
        Path path = file("hello");
        FileHandle file = skein.blockOn(() -> files().open(path, Set.of()));

        file.close();

        skein.blockOn(() -> expectClosed("status", file::status));
    }
}
