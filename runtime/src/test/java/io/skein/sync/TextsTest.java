package io.skein.sync;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.Await;
import io.skein.Coroutine;
import io.skein.Mode;
import io.skein.ModeTest;
import org.junit.jupiter.api.Test;

/** What a programmer reads in a debugger: who holds it, how many wait. */
@Mode.Each
class TextsTest extends ModeTest {
    TextsTest(Mode mode) {
        super(mode);
    }

    @Test
    void aMutexTellsWhoHoldsItAndHowManyWait() throws Exception {
        Mutex mutex = new Mutex();
        assertThat(mutex).hasToString("Mutex[unlocked]");
        mutex.lock();
        String holder = "Mutex[held by " + Mutex.nameOf(Thread.currentThread());
        assertThat(mutex).hasToString(holder + "]");
        Coroutine<?> first = skein.spawn(() -> mutex.withLock(() -> {}));
        Coroutine<?> second = skein.spawn(() -> mutex.withLock(() -> {}));
        Await.until("two wait", () -> mutex.toString().equals(holder + ", 2 waiting]"));

        mutex.unlock();
        first.join();
        second.join();

        assertThat(mutex).hasToString("Mutex[unlocked]");
    }

    @Test
    void aSharedMutexTellsWhoHoldsIt() throws Exception {
        SharedMutex mutex = new SharedMutex();
        mutex.lockExclusive();
        assertThat(mutex).hasToString("SharedMutex[held exclusively by " + Mutex.nameOf(Thread.currentThread()) + "]");
        mutex.unlockExclusive();
        assertThat(mutex).hasToString("SharedMutex[unlocked]");
    }

    @Test
    void whatIsWaitedForTellsHowManyWait() throws Exception {
        Event event = new Event();
        Latch latch = new Latch(1);
        Coroutine<?> waitsForEvent = skein.spawn(() -> event.await());
        Coroutine<?> waitsForLatch = skein.spawn(() -> latch.await());
        Await.until("one waits", () -> event.toString().equals("Event[not set, 1 waiting]"));
        Await.until("one waits", () -> latch.toString().equals("Latch[1 to go, 1 waiting]"));

        event.set();
        latch.countDown();
        waitsForEvent.join();
        waitsForLatch.join();

        assertThat(event).hasToString("Event[set]");
        assertThat(latch).hasToString("Latch[open]");
    }

    @Test
    void aValueThatIsComputedTellsByWhom() throws Exception {
        Latch release = new Latch(1);
        Once<String> once = Once.of(() -> {
            release.await();
            return "value";
        });
        assertThat(once).hasToString("Once[not computed]");
        Coroutine<?> computer = skein.spawn("computer", () -> once.get());
        Await.until("it is computed", () -> once.toString().equals("Once[being computed by computer]"));

        release.countDown();
        computer.join();
    }

    @Test
    void aChannelTellsWhoWaits() throws Exception {
        Channel<String> channel = Channel.rendezvous();
        Coroutine<?> receiver = skein.spawn(() -> channel.receive());
        Await.until("it receives", () -> channel.toString().equals("Channel[rendezvous, 0 values, receivers waiting]"));

        channel.send("value");
        receiver.join();
    }

    @Test
    void whatManyHearTellsItsState() {
        Broadcast<String> broadcast = Broadcast.dropping(4);
        try (Subscription<String> _ = broadcast.subscribe()) {
            broadcast.trySend("one");
            assertThat(broadcast).hasToString("Broadcast[dropping, 1 of 4 values, 1 subscriber]");
        }
        assertThat(Watch.of("one")).hasToString("Watch[value one]");
        assertThat(new Mutex().newCondition()).hasToString("Condition[of Mutex[unlocked]]");
    }
}
