package io.skein;

import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/**
 * Fails a test that leaves a descriptor, a platform thread or a mapped ring behind, and names what it left.
 *
 * <p>What the JDK creates lazily and keeps (pollers, the closing descriptor, jars) is created once before the first
 * measurement. Closing may trail a little behind the test, so the check waits until the counts are back, up to a
 * bound.
 */
@SuppressWarnings("exports") // Tests are patched into the module; nobody sees them outside.
public final class LeakCheck implements BeforeEachCallback, AfterEachCallback {
    private static final Namespace NAMESPACE = Namespace.create(LeakCheck.class);
    private static final long BOUND_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private static boolean warm;

    /** For JUnit. */
    public LeakCheck() {}

    @Override
    public void beforeEach(ExtensionContext context) throws Exception {
        warmUp();
        context.getStore(NAMESPACE).put(ProcessState.class, ProcessState.now());
    }

    @Override
    public void afterEach(ExtensionContext context) {
        ProcessState before = context.getStore(NAMESPACE).get(ProcessState.class, ProcessState.class);
        if (before == null) {
            return;
        }
        long deadline = System.nanoTime() + BOUND_NANOS;
        List<String> surplus = ProcessState.now().surplusOver(before);
        while (!surplus.isEmpty()) {
            if (System.nanoTime() - deadline > 0) {
                fail("left behind: " + String.join(", ", surplus));
            }
            LockSupport.parkNanos(PAUSE_NANOS);
            surplus = ProcessState.now().surplusOver(before);
        }
    }

    /** Makes the JDK create, once and from a platform thread, what it keeps for the life of the process. */
    private static synchronized void warmUp() throws IOException, InterruptedException {
        if (warm) {
            return;
        }
        warm = true;
        Skein.builder().workers(1).start().close(); // the first to make the JDK start its pollers, as in a program
        try (Selector selector = Selector.open();
                ServerSocketChannel server = ServerSocketChannel.open();
                SocketChannel channel = SocketChannel.open()) {
            selector.selectNow();
            server.configureBlocking(false);
            channel.configureBlocking(false);
        }
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                Socket client = new Socket(server.getInetAddress(), server.getLocalPort());
                Socket accepted = server.accept()) {
            Thread reader = Thread.ofVirtual().start(() -> sleepAndRead(accepted));
            Await.until("a virtual thread reads", () -> reader.getState() == Thread.State.WAITING);
            client.getOutputStream().write(1);
            reader.join();
        }
    }

    private static void sleepAndRead(Socket socket) {
        try {
            Thread.sleep(1);
            socket.getInputStream().read();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
