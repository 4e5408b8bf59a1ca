package io.skein.sync;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** Everything that threads stand in line for, at first closed; one view for what is true of all. */
@SuppressWarnings("ImmutableEnumChecker") // its functions keep nothing
enum Waitable {
    EVENT(() -> {
        Event event = new Event();
        return new Closed(event::await, event::await, event::set, event::isDeserted);
    }),
    VALUE_EVENT(() -> {
        ValueEvent<String> event = new ValueEvent<>();
        return new Closed(
                event::await, timeout -> inTime(() -> event.await(timeout)), () -> event.set("v"), event::isDeserted);
    }),
    LATCH(() -> {
        Latch latch = new Latch(1);
        return new Closed(latch::await, latch::await, latch::countDown, latch::isDeserted);
    }),
    WAIT_GROUP(() -> {
        WaitGroup group = new WaitGroup();
        group.add();
        return new Closed(group::await, group::await, group::done, group::isDeserted);
    }),
    MUTEX(() -> {
        Mutex mutex = new Mutex();
        mutex.tryLock();
        return new Closed(
                () -> mutex.withLock(() -> {}),
                timeout -> thenGivenBack(mutex.tryLock(timeout), mutex::unlock),
                mutex::unlock,
                mutex.tenure()::isDeserted);
    }),
    CONDITION(() -> {
        Mutex mutex = new Mutex();
        Condition condition = mutex.newCondition();
        return new Closed(
                () -> mutex.withLock(() -> condition.await()),
                timeout -> mutex.withLock(() -> condition.await(timeout)),
                () -> mutex.withLock(condition::signalAll),
                () -> condition.isDeserted() && mutex.tenure().isDeserted());
    }),
    SEMAPHORE(() -> {
        Semaphore semaphore = new Semaphore(0);
        return new Closed(
                () -> semaphore.withPermit(() -> {}),
                timeout -> thenGivenBack(semaphore.tryAcquire(timeout), semaphore::release),
                semaphore::release,
                semaphore::isDeserted);
    }),
    SHARED_SIDE(() -> {
        SharedMutex mutex = new SharedMutex();
        mutex.tryLockExclusive();
        return new Closed(
                () -> mutex.withShared(() -> {}),
                timeout -> thenGivenBack(mutex.tryLockShared(timeout), mutex::unlockShared),
                mutex::unlockExclusive,
                mutex::isDeserted);
    }),
    EXCLUSIVE_SIDE(() -> {
        SharedMutex mutex = new SharedMutex();
        mutex.tryLockShared();
        return new Closed(
                () -> mutex.withExclusive(() -> {}),
                timeout -> thenGivenBack(mutex.tryLockExclusive(timeout), mutex::unlockExclusive),
                mutex::unlockShared,
                mutex::isDeserted);
    }),
    ONCE(() -> {
        CountDownLatch computing = new CountDownLatch(1);
        CountDownLatch enough = new CountDownLatch(1);
        Once<String> once = Once.of(() -> {
            computing.countDown();
            enough.await();
            return "v";
        });
        FutureTask<String> got = new FutureTask<>(once::get);
        Thread.ofPlatform().name("computer").start(got);
        computing.await();
        return new Closed(
                once::get,
                timeout -> inTime(() -> once.get(timeout)),
                () -> {
                    enough.countDown();
                    got.get();
                },
                once::isDeserted);
    });

    interface Step {
        void take() throws Exception;
    }

    interface TimedWait {
        boolean await(Duration timeout) throws Exception;
    }

    interface Make {
        Closed make() throws Exception;
    }

    /** One that is closed: whoever comes waits. Opened by the thread that made it, it lets one after the other pass. */
    record Closed(Step pass, TimedWait timedPass, Step open, Supplier<Boolean> deserted) {
        boolean isDeserted() {
            return deserted.get();
        }
    }

    private final Make make;

    Waitable(Make make) {
        this.make = make;
    }

    Closed close() throws Exception {
        return make.make();
    }

    private static boolean thenGivenBack(boolean taken, Runnable giveBack) {
        if (taken) {
            giveBack.run();
        }
        return taken;
    }

    private static boolean inTime(Step step) throws Exception {
        try {
            step.take();
            return true;
        } catch (TimeoutException e) {
            return false;
        }
    }
}
