package io.skein;

import io.skein.net.TcpListener;
import io.skein.net.TcpStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Exchanger;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Phaser;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Everything that a coroutine may wait for. Each waits until it is interrupted, and throws what tells of it. */
@SuppressWarnings({"WaitNotInLoop", "FutureReturnValueIgnored", "ModifiedButNotUsed", "ImmutableEnumChecker"
}) // Whoever comes back has been interrupted.
enum Wait {
    PARK(arrived -> {
        arrived.run();
        while (!Thread.interrupted()) {
            LockSupport.park();
        }
        throw new InterruptedException("in a park");
    }),
    SLEEP(arrived -> {
        arrived.run();
        Thread.sleep(3_600_000);
    }),
    TCP_READ(arrived -> {
        try (TcpListener listener = TcpListener.bind(loopback());
                TcpStream client = TcpStream.connect(listener.localAddress());
                TcpStream server = listener.accept()) {
            arrived.run();
            server.read(ByteBuffer.allocate(1));
            client.write(ByteBuffer.allocate(1));
        }
    }),
    TCP_WRITE(arrived -> {
        try (TcpListener listener = TcpListener.bind(loopback());
                TcpStream client = TcpStream.connect(listener.localAddress());
                TcpStream server = listener.accept()) {
            arrived.run();
            server.write(ByteBuffer.allocateDirect(64 << 20));
            client.read(ByteBuffer.allocate(1));
        }
    }),
    TCP_ACCEPT(arrived -> {
        try (TcpListener listener = TcpListener.bind(loopback())) {
            arrived.run();
            listener.accept().close();
        }
    }),
    TCP_CONNECT(arrived -> {
        List<Socket> crowd = new ArrayList<>();
        try (ServerSocket busy = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            InetSocketAddress address = (InetSocketAddress) busy.getLocalSocketAddress();
            for (int i = 0; i < 2; i++) { // The kernel queues one more than asked and then leaves others waiting.
                crowd.add(new Socket(address.getAddress(), address.getPort()));
            }
            arrived.run();
            TcpStream.connect(address).close();
        } finally {
            for (Socket socket : crowd) {
                socket.close();
            }
        }
    }),
    REENTRANT_LOCK(arrived -> {
        ReentrantLock lock = new ReentrantLock();
        Thread holder = Thread.ofPlatform().start(lock::lock); // and never unlocks
        holder.join();
        arrived.run();
        lock.lockInterruptibly();
    }),
    READ_WRITE_LOCK(arrived -> {
        ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
        lock.readLock().lock();
        arrived.run();
        lock.writeLock().lockInterruptibly();
    }),
    CONDITION(arrived -> {
        ReentrantLock lock = new ReentrantLock();
        Condition condition = lock.newCondition();
        lock.lock();
        try {
            arrived.run();
            condition.await();
        } finally {
            lock.unlock();
        }
    }),
    MONITOR(arrived -> {
        Object monitor = new Object();
        synchronized (monitor) {
            arrived.run();
            monitor.wait();
        }
    }),
    SEMAPHORE(arrived -> {
        arrived.run();
        new Semaphore(0).acquire();
    }),
    LATCH(arrived -> {
        arrived.run();
        new CountDownLatch(1).await();
    }),
    BARRIER(arrived -> {
        arrived.run();
        new CyclicBarrier(2).await();
    }),
    PHASER(arrived -> {
        arrived.run();
        new Phaser(1).awaitAdvanceInterruptibly(0);
    }),
    QUEUE_TAKE(arrived -> {
        arrived.run();
        new LinkedBlockingQueue<String>().take();
    }),
    QUEUE_PUT(arrived -> {
        LinkedBlockingQueue<String> queue = new LinkedBlockingQueue<>(1);
        queue.put("full");
        arrived.run();
        queue.put("too much");
    }),
    HAND_OVER(arrived -> {
        arrived.run();
        new SynchronousQueue<String>().put("nobody takes it");
    }),
    EXCHANGE(arrived -> {
        arrived.run();
        new Exchanger<String>().exchange("nobody has another");
    }),
    FUTURE(arrived -> {
        arrived.run();
        new CompletableFuture<String>().get();
    }),
    THREAD_JOIN(arrived -> {
        Semaphore release = new Semaphore(0);
        Thread thread = Thread.ofVirtual().start(release::acquireUninterruptibly);
        try {
            arrived.run();
            thread.join();
        } finally {
            release.release();
        }
    }),
    BLOCKING_POOL(arrived -> {
        Skein.blocking(() -> {
            arrived.run();
            new CountDownLatch(1).await();
            return "never";
        });
    }),
    COROUTINE_JOIN(arrived -> {
        withEndless(endless -> {
            arrived.run();
            endless.join();
        });
    }),
    COROUTINE_GET(arrived -> {
        withEndless(endless -> {
            arrived.run();
            try {
                endless.get();
            } catch (ExecutionException e) {
                throw new AssertionError(e);
            }
        });
    }),
    WHEN_ANY(arrived -> {
        withEndless(endless -> {
            arrived.run();
            Tasks.whenAny(endless);
        });
    }),
    WHEN_ALL(arrived -> {
        arrived.run();
        Tasks.whenAll(Wait::endless, Wait::endless);
    }),
    RACE(arrived -> {
        arrived.run();
        Tasks.race(Wait::endless, Wait::endless);
    }),
    PARALLEL(arrived -> {
        arrived.run();
        Tasks.parallel(List.of(1, 2, 3), 2, _ -> endless());
    }),
    SCOPE_JOIN(arrived -> {
        try (Scope<String, ?> scope = Scope.open()) {
            scope.fork(Wait::endless);
            arrived.run();
            scope.join();
        }
    }),
    TASK_INLINE(arrived -> {
        arrived.run();
        Task.of(Wait::endless).await();
    }),
    TASK_ELSEWHERE(arrived -> {
        CountDownLatch running = new CountDownLatch(1);
        Semaphore release = new Semaphore(0);
        Task<String> task = Task.of(() -> {
            running.countDown();
            release.acquireUninterruptibly();
            return "released";
        });
        Skein.current().spawn(task);
        running.await();
        try {
            arrived.run();
            task.await();
        } finally {
            release.release();
        }
    }),
    AWAITER(arrived -> {
        arrived.run();
        new ScriptedAwaiter().await();
    });

    private interface Body {
        void begin(Runnable arrived) throws Exception;
    }

    private final Body body;

    Wait(Body body) {
        this.body = body;
    }

    /**
     * Waits.
     *
     * @param arrived is run when nothing but the wait itself is left to do
     */
    void begin(Runnable arrived) throws Exception {
        body.begin(arrived);
    }

    private static InetSocketAddress loopback() {
        return new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0);
    }

    private static String endless() throws InterruptedException {
        new CountDownLatch(1).await();
        return "never";
    }

    /** What is done with a coroutine that does not end by itself. */
    private interface Use {
        void of(Coroutine<String> endless) throws InterruptedException;
    }

    private static void withEndless(Use use) throws InterruptedException {
        Semaphore release = new Semaphore(0);
        Coroutine<String> endless = Skein.current().spawn(() -> {
            release.acquireUninterruptibly(); // so that it is the waiting one that a shutdown ends
            return "released";
        });
        try {
            use.of(endless);
        } finally {
            release.release();
        }
    }
}
