package io.skein.internal.io.uring;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skein.internal.Uninterruptibly;
import io.skein.internal.io.Driver;
import io.skein.internal.io.Lane;
import io.skein.internal.io.Operation;
import io.skein.internal.io.Submitter;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A driver on a thread of its own, with queues of any size. A test's threads, which should be virtual where they are many, send
 * it operations and wait for them. Any thread may call it.
 */
final class LoneDriver implements Submitter, Lane, AutoCloseable {
    private final ConcurrentLinkedQueue<Consumer<UringDriver>> messages = new ConcurrentLinkedQueue<>();
    private final CompletableFuture<UringDriver> opened = new CompletableFuture<>();
    private final Thread thread;
    private volatile boolean stopping;
    private volatile @Nullable Throwable defect;

    /**
     * Opens one; ends the test as skipped where the kernel gives no ring.
     *
     * @param receiveBuffers how many buffers receives that stay armed may take
     */
    LoneDriver(int entries, int completionEntries, int receiveBuffers) {
        this(entries, completionEntries, receiveBuffers, false);
    }

    /** As the other; says whether several receives may fill one buffer, where the kernel can do that. */
    LoneDriver(int entries, int completionEntries, int receiveBuffers, boolean shared) {
        try {
            UringProbe.run();
        } catch (IOException e) {
            assumeTrue(false, e.getMessage());
        }
        thread = Thread.ofPlatform()
                .name("lone-driver")
                .start(() -> run(entries, completionEntries, receiveBuffers, shared));
        opened.join();
    }

    /** Ends the test as skipped where the kernel does not know an operation. */
    static void assumeSupported(int opcode) {
        try {
            assumeTrue(UringProbe.run().supports((byte) opcode), "an operation that this kernel does not know");
        } catch (IOException e) {
            assumeTrue(false, e.getMessage());
        }
    }

    /** Ends the test as skipped where the kernel may send a part and leave it at that. */
    static void assumeWholeSends() {
        try {
            assumeTrue(UringProbe.run().wholeSends(), "where sends are cut short every write waits");
        } catch (IOException e) {
            assumeTrue(false, e.getMessage());
        }
    }

    private void run(int entries, int completionEntries, int receiveBuffers, boolean shared) {
        UringDriver driver;
        try {
            driver = new UringDriver(entries, completionEntries, receiveBuffers, shared);
        } catch (IOException | RuntimeException e) {
            opened.completeExceptionally(e);
            return;
        }
        opened.complete(driver);
        try {
            while (!stopping || !messages.isEmpty()) {
                for (Consumer<UringDriver> next = messages.poll(); next != null; next = messages.poll()) {
                    next.accept(driver);
                }
                driver.drive(stopping ? 0 : Driver.FOREVER);
            }
            driver.close();
        } catch (RuntimeException | Error e) {
            defect = e;
        }
    }

    private void send(Consumer<UringDriver> message) {
        messages.add(message);
        opened.join().wakeUp();
    }

    /** What the driver's thread says. */
    <T> T ask(Function<UringDriver, T> question) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        send(driver -> {
            try {
                answer.complete(question.apply(driver));
            } catch (RuntimeException | Error e) {
                answer.completeExceptionally(e);
            }
        });
        return answer.join();
    }

    Thread thread() {
        return thread;
    }

    int ringFd() {
        return opened.join().ring().fd();
    }

    long enters() {
        return opened.join().enters();
    }

    @Override
    public boolean serves() {
        return true;
    }

    @Override
    public Lane lane() {
        return this;
    }

    @Override
    public Executor blocking() {
        return ForkJoinPool.commonPool();
    }

    @Override
    public void start(Operation operation) {
        send(driver -> {
            int run = operation.run();
            try {
                driver.start(operation);
            } catch (Throwable e) { // as a worker's lane does
                operation.fail(run);
            }
        });
    }

    @Override
    public void cancel(Operation operation, int run) {
        send(driver -> {
            if (operation.tryCancel(run)) {
                driver.cancel(operation);
            }
        });
    }

    @Override
    public void driveInPlace() {
        Thread.onSpinWait();
    }

    /** Stops the driver; nothing that anybody waits for may be in flight. Fails if the driver has thrown something. */
    @Override
    public void close() {
        stopping = true;
        opened.join().wakeUp();
        Uninterruptibly.run(thread::join);
        Throwable thrown = defect;
        if (thrown != null) {
            throw new AssertionError("the driver failed", thrown);
        }
    }
}
