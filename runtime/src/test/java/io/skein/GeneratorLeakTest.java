package io.skein;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.internal.loom.ContinuationTurns;
import io.skein.internal.loom.ThreadTurns;
import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Generators that are abandoned half-way leave nothing behind. */
@ExtendWith(LeakCheck.class)
@Timeout(60)
class GeneratorLeakTest {
    private static final long SLACK_BYTES = 4 << 20;

    /** So much is held by each body while it is suspended. */
    private static final int BODY_BYTES = 1_000;

    private final AtomicInteger started = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();

    /** Holds something on its stack while it is suspended, as bodies do. */
    private void body(Emitter<Integer> emitter) {
        started.incrementAndGet();
        try {
            byte[] held = new byte[BODY_BYTES];
            for (int i = 0; ; i++) {
                emitter.emit(held[i % held.length] + i);
            }
        } finally {
            ended.incrementAndGet();
        }
    }

    private Generator<Integer> continuation() {
        return Generator.of(this::body, ContinuationTurns::new);
    }

    private Generator<Integer> handOver() {
        return Generator.of(this::body, ThreadTurns::new);
    }

    @Test
    void aHundredThousandOnAPlatformThreadAreCollected() {
        abandonContinuations(100_000);
    }

    @Test
    void aHundredThousandInACoroutineAreCollected() throws Exception {
        Skein skein = Skein.builder().workers(2).name("skein-test").start();
        try {
            skein.blockOn(() -> abandonContinuations(100_000));
            Await.until("no coroutine is left", () -> skein.metrics().liveCoroutines() == 0);
        } finally {
            RuntimeTest.closeWithinBound(skein);
        }
    }

    @Test
    @Tag("long")
    @Timeout(300)
    void aMillionAreCollected() throws Exception {
        abandonContinuations(1_000_000);
        Skein skein = Skein.builder().workers(2).name("skein-test").start();
        try {
            skein.blockOn(() -> abandonContinuations(1_000_000));
            Await.until("no coroutine is left", () -> skein.metrics().liveCoroutines() == 0);
        } finally {
            RuntimeTest.closeWithinBound(skein);
        }
    }

    private void abandonContinuations(int count) {
        abandonOne(continuation());
        long before = usedHeap();
        for (int i = 0; i < count; i++) {
            abandonOne(continuation());
        }
        assertThat(ended).as("finally blocks that ran without a close").hasValue(0);
        Await.until("the heap is as it was", () -> usedHeap() < before + SLACK_BYTES);
    }

    private static void abandonOne(Generator<Integer> generator) {
        generator.next();
        assertThat(generator.next()).isEqualTo(1);
    }

    @Test
    void aSuspendedGeneratorThatIsHeldKeepsWhatItsBodyHolds() {
        int count = 20_000; // else the tests above would prove nothing
        Generator<?>[] held = new Generator<?>[count];
        long before = usedHeap();
        for (int i = 0; i < count; i++) {
            Generator<Integer> generator = continuation();
            abandonOne(generator);
            held[i] = generator;
        }
        assertThat(usedHeap() - before).isGreaterThan((long) count * BODY_BYTES);
        for (Generator<?> generator : held) {
            generator.close();
        }
        assertThat(ended).hasValue(count);
    }

    @Test
    void threadsOfAbandonedGeneratorsEnd() {
        int count = 2_000;
        for (int i = 0; i < count; i++) {
            abandonOne(handOver());
        }
        assertThat(started).hasValue(count);
        Await.until("all bodies have ended", () -> {
            System.gc();
            return ended.get() == count;
        });
    }

    @Test
    void aThreadWhoseGeneratorIsStillInUseGoesOn() {
        Generator<Integer> generator = handOver();
        abandonOne(generator);
        WeakReference<Object> witness = new WeakReference<>(new Object());
        Await.until("the collector has run", () -> {
            System.gc();
            return witness.get() == null;
        });
        for (int i = 2; i < 100; i++) {
            assertThat(generator.next()).isEqualTo(i);
        }
        generator.close();
        assertThat(ended).hasValue(1);
    }

    private static long usedHeap() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
