package io.skein.internal.sched;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SharedQueueTest {
    private final SharedQueue queue = new SharedQueue();

    @Test
    void anEmptyQueueGivesNothing() {
        assertThat(queue.isEmpty()).isTrue();
        assertThat(queue.poll()).isNull();
        assertThat(queue.size()).isZero();
    }

    @Test
    void singlesAndBatchesComeOutInOneOrder() {
        queue.take(new Numbered(0));
        queue.takeAll(Numbered.range(1, 4));
        queue.take(new Numbered(4));

        assertThat(queue.size()).isEqualTo(5);
        assertThat(pollAll()).isEqualTo(Numbered.range(0, 5));
        assertThat(queue.size()).isZero();
    }

    @Test
    void aMoveTakesNoMoreThanAsked() {
        queue.takeAll(Numbered.range(0, 4));
        RunQueue target = new RunQueue(4, queue);

        queue.moveTo(target, 2);

        assertThat(target.size()).isEqualTo(2);
        assertThat(target.pop()).isEqualTo(new Numbered(0));
        assertThat(pollAll()).isEqualTo(Numbered.range(2, 4));
    }

    @Test
    void aMoveTakesNoMoreThanThereIsRoom() {
        queue.takeAll(Numbered.range(0, 10));
        RunQueue target = new RunQueue(4, new Numbered.Spilled());
        target.push(new Numbered(10));

        queue.moveTo(target, 8);

        assertThat(target.size()).isEqualTo(4);
        assertThat(target.spills()).isZero();
        assertThat(queue.size()).isEqualTo(7);
    }

    @Test
    void aMoveEndsWhereTheQueueDoes() {
        queue.take(new Numbered(0));
        RunQueue target = new RunQueue(4, new Numbered.Spilled());

        queue.moveTo(target, 3);

        assertThat(target.size()).isEqualTo(1);
    }

    /** There is no other way to make it fail than a null. */
    @Test
    @SuppressWarnings("NullAway") // on purpose
    void whatCannotBeAddedIsNotCounted() {
        Runnable missing = null;
        assertThatNullPointerException().isThrownBy(() -> queue.take(missing));
        assertThatNullPointerException().isThrownBy(() -> queue.takeAll(Arrays.asList(new Numbered(0), missing)));

        assertThat(queue.size()).isZero();
        assertThat(queue.isEmpty()).isTrue();
    }

    @Test
    void manyProducersAndConsumersLoseNothing() throws Exception {
        int each = 50_000;
        AtomicIntegerArray seen = new AtomicIntegerArray(2 * each);
        CountDownLatch produced = new CountDownLatch(2);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            int first = i * each;
            threads.add(Thread.ofPlatform().start(() -> {
                for (int number = first; number < first + each; number += 10) {
                    queue.takeAll(Numbered.range(number, number + 9));
                    queue.take(new Numbered(number + 9));
                }
                produced.countDown();
            }));
            threads.add(Thread.ofPlatform().start(() -> {
                while (produced.getCount() > 0 || !queue.isEmpty()) {
                    if (queue.poll() instanceof Numbered numbered) {
                        seen.incrementAndGet(numbered.number());
                    }
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }

        for (int i = 0; i < 2 * each; i++) {
            assertThat(seen.get(i)).as("how often %s came out", i).isEqualTo(1);
        }
        assertThat(queue.size()).isZero();
    }

    private List<Runnable> pollAll() {
        List<Runnable> polled = new ArrayList<>();
        for (Runnable next = queue.poll(); next != null; next = queue.poll()) {
            polled.add(next);
        }
        return polled;
    }
}
