package io.skein.internal.sched;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LastInSlotTest {
    private final LastInSlot slot = new LastInSlot();

    @Test
    void anEmptySlotGivesNothing() {
        assertThat(slot.isEmpty()).isTrue();
        assertThat(slot.take()).isNull();
    }

    @Test
    void whatWasPutIsTakenOnce() {
        assertThat(slot.put(new Numbered(1))).isNull();

        assertThat(slot.isEmpty()).isFalse();
        assertThat(slot.take()).isEqualTo(new Numbered(1));
        assertThat(slot.take()).isNull();
    }

    @Test
    void aSecondPutHandsTheFirstBack() {
        slot.put(new Numbered(1));

        assertThat(slot.put(new Numbered(2))).isEqualTo(new Numbered(1));
        assertThat(slot.take()).isEqualTo(new Numbered(2));
    }

    @Test
    void aSlotThatNobodyElseTakesFromGivesTheSame() {
        LastInSlot own = new LastInSlot(false);

        assertThat(own.put(new Numbered(1))).isNull();
        assertThat(own.put(new Numbered(2))).isEqualTo(new Numbered(1));
        assertThat(own.take()).isEqualTo(new Numbered(2));
        assertThat(own.isEmpty()).isTrue();
        assertThat(own.take()).isNull();
    }

    @Test
    void anOwnerAndItsThievesTakeEverythingOnce() throws Exception {
        int count = 200_000;
        AtomicIntegerArray seen = new AtomicIntegerArray(count);
        AtomicBoolean over = new AtomicBoolean();
        List<Thread> thieves = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            thieves.add(Thread.ofPlatform().start(() -> {
                while (!over.get()) {
                    note(seen, slot.take());
                }
            }));
        }

        for (int i = 0; i < count; i++) {
            note(seen, slot.put(new Numbered(i)));
            if (i % 5 == 0) {
                note(seen, slot.take());
            }
        }
        over.set(true);
        for (Thread thief : thieves) {
            thief.join();
        }
        note(seen, slot.take());

        for (int i = 0; i < count; i++) {
            assertThat(seen.get(i)).as("how often %s came out", i).isEqualTo(1);
        }
    }

    private static void note(AtomicIntegerArray seen, @Nullable Runnable runnable) {
        if (runnable instanceof Numbered numbered) {
            seen.incrementAndGet(numbered.number());
        }
    }
}
