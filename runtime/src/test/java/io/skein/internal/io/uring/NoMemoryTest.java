package io.skein.internal.io.uring;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.Await;
import io.skein.LeakCheck;
import io.skein.internal.io.Deadline;
import io.skein.internal.linux.Errno;
import io.skein.internal.linux.Libc;
import java.nio.ByteBuffer;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.ExtendWith;

/** A driver that has no memory for another request: what the kernel has is waited for, and what it has not can be tried again. */
@ExtendWith(LeakCheck.class)
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
class NoMemoryTest {
    private static final int NO_MEMORY = -Errno.ENOMEM.number();
    private static final int BATCH = 8;
    private static final int LENGTH = 16;

    private final NativeBuffers pool = new NativeBuffers(false);
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private LoneDriver driver;
    private SocketPair sockets;

    @BeforeEach
    void open() {
        driver = new LoneDriver(4, 64, 4); // and as many slots
        sockets = SocketPair.open();
    }

    @AfterEach
    void close() {
        if (driver != null) {
            mayGrow(true);
            Libc.close(sockets.here());
            Libc.close(sockets.there());
            driver.close();
        }
        threads.close();
        pool.close();
    }

    private void mayGrow(boolean allowed) {
        boolean _ = driver.ask(here -> {
            here.slots().mayGrow(allowed);
            return true;
        });
    }

    private int taken() {
        return driver.ask(here -> here.slots().taken());
    }

    @Test
    void aBatchIsNotOverBeforeTheKernelIsDoneWithThePartsThatItHas() throws Exception {
        long memory = Libc.allocate(BATCH * LENGTH);
        MessageBatch batch = new MessageBatch(sockets.here(), false, Message.Direction.INCOMING);
        for (int i = 0; i < BATCH; i++) {
            batch.part(i).prepareReceive(memory + (long) i * LENGTH, LENGTH);
        }
        mayGrow(false);

        Future<Integer> result = threads.submit(() -> batch.perform(driver, Deadline.NONE, BATCH));
        Await.until("the slots are taken", () -> taken() == 4);
        assertThat(result.isDone()).isFalse();
        Libc.shutdown(sockets.there(), Libc.SHUT_RDWR); // ends the receives that the kernel has

        assertThat(result.get(30, TimeUnit.SECONDS)).isZero();
        assertThat(batch.part(0).result()).isZero();
        assertThat(batch.part(BATCH - 1).result()).isEqualTo(NO_MEMORY);
        batch.free();
        Libc.free(memory);
    }

    /** Takes what slots there are. */
    private Future<Integer> occupy(SocketPair others) {
        long memory = Libc.allocate(BATCH * LENGTH);
        MessageBatch batch = new MessageBatch(others.here(), false, Message.Direction.INCOMING);
        for (int i = 0; i < BATCH; i++) {
            batch.part(i).prepareReceive(memory + (long) i * LENGTH, LENGTH);
        }
        mayGrow(false);
        Future<Integer> result = threads.submit(() -> {
            try {
                return batch.perform(driver, Deadline.NONE, BATCH);
            } finally {
                batch.free();
                Libc.free(memory);
            }
        });
        Await.until("the slots are taken", () -> taken() == 4);
        return result;
    }

    private void leave(SocketPair others, Future<Integer> occupant) throws Exception {
        Libc.shutdown(others.there(), Libc.SHUT_RDWR);
        occupant.get(30, TimeUnit.SECONDS);
        Libc.close(others.here());
        Libc.close(others.there());
    }

    @Test
    void aReaderThatFoundNoMemoryIsToldAndReadsLater() throws Exception {
        SocketPair others = SocketPair.open();
        Take take = new Take(sockets.here(), new Home(), pool, true, false);
        Put put = put(sockets.there());
        Future<Integer> occupant = occupy(others);

        assertThat(take.read(driver, Deadline.NONE, ByteBuffer.allocate(LENGTH)))
                .isEqualTo(NO_MEMORY);
        leave(others, occupant);
        assertThat(put.write(driver, Deadline.NONE, ByteBuffer.allocate(1))).isEqualTo(1);

        assertThat(take.read(driver, Deadline.NONE, ByteBuffer.allocate(LENGTH)))
                .isEqualTo(1);
        boolean _ = driver.ask(_ -> {
            take.close();
            return true;
        });
    }

    private Put put(int fd) {
        return new Put(fd, new Home(), pool, new Outflow(fd, true));
    }

    @Test
    void aWriterThatFoundNoMemoryIsToldAndWritesLater() throws Exception {
        SocketPair others = SocketPair.open();
        Put put = put(sockets.here());
        Future<Integer> occupant = occupy(others);

        assertThat(put.write(driver, Deadline.NONE, ByteBuffer.allocate(1))).isEqualTo(NO_MEMORY);
        assertThat(put.outflow.isInFlight()).isFalse();
        assertThat(driver.<Integer>ask(here -> here.sendBuffers().lent())).isZero();
        leave(others, occupant);

        assertThat(put.write(driver, Deadline.NONE, ByteBuffer.allocate(1))).isEqualTo(1);
    }

    @Test
    void aDescriptorIsNotLostWhereThereIsNoMemoryToCloseIt() throws Exception {
        SocketPair others = SocketPair.open();
        SocketPair closing = SocketPair.open();
        Future<Integer> occupant = occupy(others);

        Close.closeUnused(driver, closing.here());
        Close.closeUnused(driver, closing.there());

        leave(others, occupant);
    }
}
