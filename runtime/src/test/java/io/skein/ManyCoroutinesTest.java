package io.skein;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;

@Setup.Each
class ManyCoroutinesTest extends RuntimeTest {
    private static final int MANY = 100_000;

    ManyCoroutinesTest(Setup setup) {
        super(setup);
    }

    @Test
    void aHundredThousandCoroutinesSpawnedFromOutsideAllRun() {
        LongAdder ran = new LongAdder();
        for (int i = 0; i < MANY; i++) {
            var _ = skein.spawn(ran::increment);
        }

        skein.close();

        assertThat(ran.sum()).isEqualTo(MANY);
    }

    @Test
    void aHundredThousandCoroutinesLiveAtOnce() throws Exception {
        CountDownLatch allWait = new CountDownLatch(MANY);
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger ended = new AtomicInteger();
        skein.blockOn(() -> {
            for (int i = 0; i < MANY; i++) {
                var _ = skein.spawn(() -> {
                    allWait.countDown();
                    release.await();
                    ended.incrementAndGet();
                });
            }
            allWait.await();
            release.countDown();
        });

        skein.close();

        assertThat(ended).hasValue(MANY);
    }

    @Test
    void spawnersOnSeveralThreadsLoseNoCoroutine() throws Exception {
        LongAdder ran = new LongAdder();
        List<Thread> spawners = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            spawners.add(Thread.ofPlatform().name("spawner-" + i).start(() -> {
                for (int turn = 0; turn < 10_000; turn++) {
                    var _ = skein.spawn(ran::increment);
                }
            }));
        }
        for (Thread spawner : spawners) {
            spawner.join();
        }

        skein.close();

        assertThat(ran.sum()).isEqualTo(40_000);
    }
}
