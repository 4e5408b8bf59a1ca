package io.skein.internal.loom;

import static org.assertj.core.api.Assertions.assertThat;

import io.skein.Coroutine;
import io.skein.Mode;
import io.skein.ModeTest;
import io.skein.Rounds;
import io.skein.Scheduling;
import io.skein.sync.Channel;
import io.skein.sync.Event;
import io.skein.sync.Semaphore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Coroutines hand tokens around in rings, and others unpark them, interrupt them and look at their stacks all the while: every token
 * comes around, and nobody runs twice at once. Each disturbance comes alone too, since an unpark by anybody would make good for a
 * wake-up that was lost.
 */
@ParameterizedClass(name = "{0}")
@MethodSource("modes")
class UnparkingStormTest extends ModeTest {
    private static final int MEMBERS = 12;
    private static final int TOKENS = 3;
    private static final int ROUNDS = Rounds.of(400);

    private final List<Coroutine<?>> coroutines = new ArrayList<>();

    UnparkingStormTest(Mode mode) {
        super(mode);
    }

    /** Without the flags there is one: coroutines run on the JDK's scheduler, whatever is asked for. */
    static Stream<Mode> modes() {
        if (!Loom.available()) {
            return Stream.of(new Mode(Scheduling.STEALING, 2));
        }
        return Stream.of(Scheduling.values())
                .flatMap(scheduling -> Stream.of(1, 2, 4).map(workers -> new Mode(scheduling, workers)));
    }

    enum Disturbance {
        NONE {
            @Override
            void of(Thread victim) {}
        },
        UNPARK {
            @Override
            void of(Thread victim) {
                LockSupport.unpark(victim);
                Unparking.unpark(victim);
            }
        },
        INTERRUPT {
            @Override
            void of(Thread victim) {
                victim.interrupt();
            }
        },
        STACK_TRACE {
            @Override
            void of(Thread victim) {
                victim.getStackTrace();
            }
        },
        ANY {
            @Override
            void of(Thread victim) {
                List.of(UNPARK, INTERRUPT, STACK_TRACE)
                        .get(ThreadLocalRandom.current().nextInt(3))
                        .of(victim);
            }
        };

        abstract void of(Thread victim);
    }

    /** Where a member of a ring takes a token, which the member before it has put there. */
    private interface Place {
        void take() throws InterruptedException;

        void put() throws InterruptedException;
    }

    private static Place channel() {
        Channel<String> channel = Channel.unbounded();
        return place(channel::receive, () -> channel.send("token"));
    }

    private static Place semaphore() {
        Semaphore semaphore = new Semaphore(0);
        return place(semaphore::acquire, semaphore::release);
    }

    /** For one token. */
    private static Place event() {
        Event event = new Event();
        return place(
                () -> {
                    event.await();
                    event.reset();
                },
                event::set);
    }

    private interface Step {
        void run() throws InterruptedException;
    }

    private static Place place(Step take, Step put) {
        return new Place() {
            @Override
            public void take() throws InterruptedException {
                take.run();
            }

            @Override
            public void put() throws InterruptedException {
                put.run();
            }
        };
    }

    @ParameterizedTest
    @EnumSource
    void everyTokenComesAround(Disturbance disturbance) throws Exception {
        List<Place> channels =
                Stream.generate(UnparkingStormTest::channel).limit(MEMBERS).toList();
        List<Place> semaphores =
                Stream.generate(UnparkingStormTest::semaphore).limit(MEMBERS).toList();
        List<Place> events =
                Stream.generate(UnparkingStormTest::event).limit(MEMBERS).toList();
        spawnRing(channels, TOKENS * ROUNDS);
        spawnRing(semaphores, TOKENS * ROUNDS);
        spawnRing(events, ROUNDS);
        AtomicBoolean over = new AtomicBoolean();
        List<Thread> disturbers = Stream.of(1, 2)
                .map(i -> Thread.ofPlatform().name("disturber-" + i).start(() -> disturb(disturbance, over)))
                .toList();
        try {
            for (int i = 0; i < TOKENS; i++) {
                channels.getFirst().put();
                semaphores.getFirst().put();
            }
            events.getFirst().put();

            for (Coroutine<?> coroutine : coroutines) {
                assertThat(coroutine.get(20, TimeUnit.SECONDS)).isEqualTo("ended");
            }
        } finally {
            over.set(true);
            for (Thread disturber : disturbers) {
                disturber.join();
            }
            coroutines.forEach(coroutine -> coroutine.cancel(true)); // those that have lost something
        }
        for (int i = 0; i < TOKENS; i++) { // they are back
            channels.getFirst().take();
            semaphores.getFirst().take();
        }
        events.getFirst().take();
    }

    /** Spawns coroutines each of which hands so many tokens on. */
    private void spawnRing(List<Place> places, int tokens) {
        for (int i = 0; i < places.size(); i++) {
            Place mine = places.get(i);
            Place next = places.get((i + 1) % places.size());
            coroutines.add(skein.spawn(() -> new Member().handOn(mine, next, tokens)));
        }
    }

    /** Whoever takes part in a ring. Its fields are plain: a second thread in here would spoil them. */
    private static final class Member {
        private boolean inside;
        private int taken;
        private int handedOn;

        String handOn(Place mine, Place next, int tokens) {
            for (int i = 0; i < tokens; i++) {
                untilNotInterrupted(mine::take);
                enter(++taken == i + 1 && handedOn == i);
                Thread.onSpinWait();
                leave();
                untilNotInterrupted(next::put);
                enter(++handedOn == i + 1 && taken == i + 1);
                leave();
            }
            return "ended";
        }

        private void untilNotInterrupted(Step step) {
            while (true) {
                try {
                    step.run();
                    return;
                } catch (InterruptedException e) {
                    enter(true); // and again
                    leave();
                }
            }
        }

        private void enter(boolean expected) {
            if (inside || !expected) {
                throw new AssertionError("two threads in one coroutine");
            }
            inside = true;
        }

        private void leave() {
            inside = false;
        }
    }

    @SuppressWarnings("ThreadPriorityCheck") // the others need the processor
    private void disturb(Disturbance disturbance, AtomicBoolean over) {
        while (!over.get() && disturbance != Disturbance.NONE) {
            int victim = ThreadLocalRandom.current().nextInt(coroutines.size());
            disturbance.of(coroutines.get(victim).thread());
            Thread.yield();
        }
    }
}
