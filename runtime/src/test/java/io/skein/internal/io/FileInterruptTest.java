package io.skein.internal.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skein.Await;
import io.skein.Coroutine;
import io.skein.DriverKind;
import io.skein.Setup;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

@Setup.Each
class FileInterruptTest extends FileTest {
    FileInterruptTest(Setup setup) {
        super(setup);
    }

    @Test
    void whoIsInterruptedBeforeACallDoesNothing() throws Exception {
        Path path = file("hello");
        Path other = directory.resolve("other");
        use(
                path,
                file -> {
                    Thread self = Thread.currentThread();
                    self.interrupt();
                    expectInterrupt(() -> file.read(ByteBuffer.allocate(1), 0));
                    self.interrupt();
                    expectInterrupt(() -> file.write(bytes("a"), 0));
                    self.interrupt();
                    expectInterrupt(() -> file.write(new ByteBuffer[] {bytes("a")}, 0));
                    self.interrupt();
                    expectInterrupt(() -> file.resize(0));
                    self.interrupt();
                    expectInterrupt(() -> file.sync(true));
                    self.interrupt();
                    expectInterrupt(() -> files().open(path, Set.of()));
                    self.interrupt();
                    expectInterrupt(() -> files().delete(path));
                    self.interrupt();
                    expectInterrupt(() -> files().createDirectory(other));
                    self.interrupt();
                    expectInterrupt(() -> files().rename(path, other, true));
                },
                READ,
                WRITE);
        assertThat(path).hasContent("hello");
        assertThat(other).doesNotExist();
    }

    @Test
    void whoIsInterruptedStillCloses() throws Exception {
        Path path = file("hello");
        skein.blockOn(() -> {
            FileHandle file = files().open(path, Set.of());
            Thread.currentThread().interrupt();
            file.close();
            assertThat(Thread.interrupted()).isTrue();
        });
    }

    /** Whatever the interrupt hits, a file that was opened is in somebody's hand; the check for leaks sees the rest. */
    @Test
    void anInterruptThatRacesAnOpenLosesNoDescriptor() throws Exception {
        Path path = file("hello");
        for (int round = 0; round < 100; round++) {
            CountDownLatch started = new CountDownLatch(1);
            AtomicBoolean interrupted = new AtomicBoolean();
            Coroutine<?> opener = skein.spawn("opener", () -> {
                started.countDown();
                while (!interrupted.get()) {
                    try {
                        files().open(path, Set.of()).close();
                    } catch (InterruptedIOException e) {
                        interrupted.set(true);
                    }
                }
                assertThat(Thread.interrupted()).isTrue();
            });
            started.await();
            opener.thread().interrupt();
            opener.join();
        }
    }

    @Test
    void anInterruptThatRacesAWriteLeavesWhatTheBufferSays() throws Exception {
        Path path = file("");
        byte[] content = new byte[1 << 20];
        Arrays.fill(content, (byte) 'x');
        for (int round = 0; round < 20; round++) {
            ByteBuffer source = ByteBuffer.wrap(content);
            Coroutine<?> writer = skein.spawn("writer", () -> {
                FileHandle file = files().open(path, Set.of(WRITE));
                try {
                    file.resize(0);
                    file.write(source, 0);
                } catch (InterruptedIOException e) {
                    assertThat(Thread.interrupted()).isTrue();
                } finally {
                    file.close();
                }
            });
            Await.until("something is written", () -> source.position() > 0 || writer.isDone());
            writer.thread().interrupt();
            writer.join();

            assertThat(Files.size(path)).isEqualTo(source.position());
        }
    }

    /** With CREATE the kernel opens on a thread of its own, which a pipe without a reader holds up. */
    @Test
    void anOpenThatWaitsForItsPeerIsInterrupted() throws Exception {
        Path fifo = fifo();
        Coroutine<?> opener =
                skein.spawn("opener", () -> expectInterrupt(() -> files().open(fifo, Set.of(WRITE, CREATE))));
        Await.untilWaiting(opener);

        opener.thread().interrupt();

        opener.join();
    }

    @Test
    void aReadThatWaitsForBytesIsInterrupted() throws Exception {
        Path fifo = fifo();
        use(
                fifo,
                file -> {
                    Coroutine<?> reader = skein.spawn(
                            "reader", () -> expectInterrupt(() -> file.read(ByteBuffer.allocateDirect(10), 0)));
                    Await.untilWaiting(reader);

                    reader.thread().interrupt();
                    reader.join();

                    file.write(bytes("hello"), 0);
                    ByteBuffer target = ByteBuffer.allocate(10);
                    assertThat(file.read(target, 0)).isEqualTo(5);
                    assertThat(text(target)).isEqualTo("hello");
                },
                READ,
                WRITE);
    }

    /** A pipe with a name. The JDK's calls on it cannot be ended, so only rings are asked for that. */
    private Path fifo() throws Exception {
        assumeTrue(setup.driver() == DriverKind.URING, "the JDK cannot end a call on a pipe");
        Path fifo = directory.resolve("fifo");
        assertThat(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor())
                .isZero();
        return fifo;
    }
}
