package io.skein.sched;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.Action;
import io.skein.Await;
import io.skein.Coroutine;
import io.skein.Mode;
import io.skein.ModeTest;
import io.skein.Scheduling;
import io.skein.Skein;
import io.skein.internal.loom.Loom;
import io.skein.net.TcpListener;
import io.skein.net.TcpStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.invoke.MethodHandles;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A coroutine in a call of the JDK's that blocks, which the JDK announces, holds no worker. */
@Mode.OneTwoAndEightWorkers
class JdkBlockingCallsTest extends ModeTest {
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0);

    /** Not private: a hidden class is no nestmate. */
    static final AtomicReference<Action> TO_INITIALISE = new AtomicReference<>();

    private final List<Process> children = new ArrayList<>();

    JdkBlockingCallsTest(Mode mode) {
        super(mode);
    }

    @AfterEach
    void endChildren() throws Exception {
        for (Process child : children) {
            child.destroyForcibly().waitFor();
            child.getInputStream().close();
            child.getOutputStream().close();
            child.getErrorStream().close();
        }
    }

    /** A child that echoes what it is told, and says nothing by itself. */
    private Process child() throws IOException {
        Process child = new ProcessBuilder("cat").start();
        children.add(child);
        return child;
    }

    private static void tell(Process child, String text) throws IOException {
        OutputStream input = child.getOutputStream();
        input.write(text.getBytes(StandardCharsets.US_ASCII));
        input.flush();
    }

    private List<Coroutine<Integer>> readersOf(int count) throws Exception {
        List<Coroutine<Integer>> readers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Process child = child();
            readers.add(skein.spawn("reader", () -> child.getInputStream().read()));
        }
        for (Coroutine<?> reader : readers) {
            Await.untilInside("readBytes", reader.thread());
        }
        return readers;
    }

    private void tellAll() throws IOException {
        for (Process child : children) {
            tell(child, "x");
        }
    }

    @Test
    void readersOfChildrenLeaveTheWorkersToSleepersAndConnections() throws Exception {
        List<Coroutine<Integer>> readers = readersOf(2 * mode.workers() + 1);

        int echoed = skein.blockOn(() -> {
            Thread.sleep(1);
            try (TcpListener listener = TcpListener.bind(skein, ANY_PORT);
                    TcpStream client = TcpStream.connect(skein, listener.localAddress());
                    TcpStream server = listener.accept()) {
                client.write(ByteBuffer.wrap(new byte[3]));
                return server.read(ByteBuffer.allocate(10));
            }
        });

        assertThat(echoed).isEqualTo(3);
        assertThat(readers).noneMatch(Coroutine::isDone);
        tellAll();
        for (Coroutine<Integer> reader : readers) {
            assertThat(reader.join()).isEqualTo('x');
        }
    }

    @Test
    void connectionsThatAreInUseGoOnMeanwhile() throws Exception {
        try (TcpListener listener = TcpListener.bind(skein, ANY_PORT)) {
            TcpStream client = TcpStream.connect(skein, listener.localAddress());
            TcpStream server = listener.accept();
            Coroutine<Integer> echo = skein.spawn(() -> {
                ByteBuffer buffer = ByteBuffer.allocate(1);
                int rounds = 0;
                while (server.read(buffer.clear()) > 0) {
                    server.write(buffer.flip());
                    rounds++;
                }
                return rounds;
            });
            skein.blockOn(() -> roundTrip(client));

            List<Coroutine<Integer>> readers = readersOf(mode.workers());
            for (int i = 0; i < 10; i++) {
                skein.blockOn(() -> roundTrip(client));
            }

            client.close();
            assertThat(echo.join()).isEqualTo(11);
            server.close();
            tellAll();
            for (Coroutine<Integer> reader : readers) {
                reader.join();
            }
        }
    }

    private static int roundTrip(TcpStream client) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(1);
        client.write(buffer);
        return client.read(buffer.clear());
    }

    @Test
    void whoHasBlockedGoesOnAtAWorkerAndIsWhatItWas() throws Exception {
        Process child = child();
        tell(child, "ab");
        ThreadLocal<String> local = new ThreadLocal<>();
        Set<Integer> carriers = ConcurrentHashMap.newKeySet();
        AtomicReference<Skein> current = new AtomicReference<>();

        Coroutine<Boolean> reader = skein.spawn("reader", () -> {
            local.set("mine");
            int before = Carrier.number();
            Thread self = Thread.currentThread();
            assertThat(child.getInputStream().read()).isEqualTo('a');
            carriers.add(Carrier.number());
            current.set(Skein.current());
            return self == Thread.currentThread()
                    && local.get().equals("mine")
                    && (mode.scheduling() == Scheduling.STEALING || before == Carrier.number());
        });

        assertThat(reader.join()).isTrue();
        assertThat(carriers).isNotEmpty().allMatch(number -> number >= 0 && number < mode.workers());
        assertThat(current.get()).isSameAs(skein);
    }

    /** Runs it in a class initialiser: a class of its own is made for each call. */
    private static void pinned(Action body) throws Exception {
        TO_INITIALISE.set(body);
        byte[] type = Files.readAllBytes(Path.of(
                Objects.requireNonNull(JdkBlockingCallsTest.class.getResource("JdkBlockingCallsTest$Initialised.class"))
                        .toURI()));
        MethodHandles.Lookup _ = MethodHandles.lookup().defineHiddenClass(type, true);
    }

    /** Copied to be initialised once more. */
    static final class Initialised {
        static {
            try {
                TO_INITIALISE.get().run();
            } catch (Exception e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        private Initialised() {}
    }

    /** It cannot leave its worker, which is free again afterwards: no spare takes whom it wakes then. */
    @Test
    void whoIsPinnedBlocksItsWorkerAndNobodyElseLeavesInItsPlace() throws Exception {
        Process child = child();
        Coroutine<Integer> reader = skein.spawn("reader", () -> {
            AtomicInteger read = new AtomicInteger();
            pinned(() -> read.set(child.getInputStream().read()));
            Coroutine<Integer> next = skein.spawn(Carrier::number);
            return read.get() == 'x' ? next.join() : -1;
        });
        Await.untilInside("readBytes", reader.thread());
        tellAll();
        assertThat(reader.join()).isBetween(0, mode.workers() - 1);
    }

    /** While its stack is looked at nobody can run it, and whoever looked hands it to the workers: no spare runs it later. */
    @Test
    void whoIsLookedAtWhileItLeavesComesBackAllTheSame() throws Exception {
        Process child = child();
        Set<String> carriers = ConcurrentHashMap.newKeySet();
        Semaphore came = new Semaphore(0);
        Coroutine<Integer> reader = skein.spawn("reader", () -> {
            int read = 0;
            while (child.getInputStream().read() != '.') {
                carriers.add(Carrier.name());
                read++;
                came.release();
            }
            return read;
        });
        AtomicBoolean over = new AtomicBoolean();
        Thread observer = Thread.ofPlatform().start(() -> {
            while (!over.get()) {
                boolean _ = reader.thread().getStackTrace().length > 0;
            }
        });
        try {
            for (int i = 0; i < 2000; i++) {
                tell(child, "x");
                came.acquire(); // so that each read blocks
            }
            tell(child, ".");
            assertThat(reader.join()).isEqualTo(2000);
        } finally {
            over.set(true);
            observer.join();
        }
        assertThat(carriers).allMatch(name -> name.contains("-worker-"));
    }

    @Test
    void threadsOfLibrariesHoldNoWorkerEither() throws Exception {
        List<Thread> threads = new ArrayList<>();
        CountDownLatch read = new CountDownLatch(mode.workers());
        for (int i = 0; i < mode.workers(); i++) {
            Process child = child();
            threads.add(skein.blockOn(() -> Thread.startVirtualThread(() -> {
                try {
                    child.getInputStream().read();
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
                read.countDown();
            })));
        }
        for (Thread thread : threads) {
            Await.untilInside("readBytes", thread);
        }

        assertThat(skein.blockOn(() -> {
                    Thread.sleep(1);
                    return "ran";
                }))
                .isEqualTo("ran");

        tellAll();
        read.await();
    }

    @Test
    void whoSpawnsAndWaitsBetweenCallsThatBlockIsNotLost() throws Exception {
        Process child = child();
        Coroutine<Integer> reader = skein.spawn("reader", () -> {
            int sum = 0;
            for (int i = 0; i < 100; i++) {
                tell(child, "1");
                sum += child.getInputStream().read() - '0';
                sum += skein.spawn(() -> 1).join();
            }
            return sum;
        });
        assertThat(reader.join()).isEqualTo(200);
    }

    /** Then no queue of the JDK's spins before it parks, while its partner waits for this very thread. */
    @Test
    void aCarrierSaysThatOthersWaitForIt() throws Exception {
        Thread carrier = skein.blockOn(() -> {
            Thread mounted = Loom.currentCarrier();
            if (mounted == null) {
                throw new IllegalStateException("no carrier");
            }
            return mounted;
        });
        assertThat(carrier)
                .isInstanceOfSatisfying(
                        ForkJoinWorkerThread.class,
                        thread -> assertThat(thread.getQueuedTaskCount()).isEqualTo(1));
    }
}
