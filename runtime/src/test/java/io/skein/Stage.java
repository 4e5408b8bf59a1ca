package io.skein;

import io.skein.internal.loom.ContinuationTurns;
import io.skein.internal.loom.ThreadTurns;
import io.skein.internal.loom.Turns;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Where a generator's consumer runs, and how its body is suspended. */
record Stage(Place place, Suspension suspension) {
    /** Runs the tests of a class on every stage. */
    @Target(ElementType.TYPE)
    @Retention(RetentionPolicy.RUNTIME)
    @ParameterizedClass(name = "{0}")
    @MethodSource("io.skein.Stage#all")
    @interface Each {}

    /** Runs the tests of a class on the stages that are coroutines. */
    @Target(ElementType.TYPE)
    @Retention(RetentionPolicy.RUNTIME)
    @ParameterizedClass(name = "{0}")
    @MethodSource("io.skein.Stage#coroutines")
    @interface Coroutines {}

    enum Suspension {
        CONTINUATION,
        HAND_OVER;

        private Turns of(Runnable body) {
            return this == CONTINUATION ? new ContinuationTurns(body) : new ThreadTurns(body);
        }
    }

    enum Place {
        PLATFORM_THREAD(0, Scheduling.STEALING),
        VIRTUAL_THREAD(0, Scheduling.STEALING),
        STEALING_1(1, Scheduling.STEALING),
        STEALING_3(3, Scheduling.STEALING),
        PINNED_1(1, Scheduling.PINNED),
        PINNED_3(3, Scheduling.PINNED);

        private final int workers;
        private final Scheduling scheduling;

        Place(int workers, Scheduling scheduling) {
            this.workers = workers;
            this.scheduling = scheduling;
        }
    }

    /** Without the flags there are fewer: bodies have threads of their own, and coroutines run on the JDK's scheduler. */
    static Stream<Stage> all() {
        if (Setup.isOldKernel()) {
            return Stream.of(new Stage(Place.STEALING_3, Suspension.CONTINUATION));
        }
        if (!ContinuationTurns.available()) {
            return Stream.of(Place.PLATFORM_THREAD, Place.VIRTUAL_THREAD, Place.STEALING_3)
                    .map(place -> new Stage(place, Suspension.HAND_OVER));
        }
        return Stream.of(Suspension.values())
                .flatMap(suspension -> Stream.of(Place.values()).map(place -> new Stage(place, suspension)));
    }

    static Stream<Stage> coroutines() {
        return all().filter(Stage::isCoroutine);
    }

    boolean isCoroutine() {
        return place.workers > 0;
    }

    boolean isContinuation() {
        return suspension == Suspension.CONTINUATION;
    }

    <T extends @Nullable Object> Generator<T> of(Generator.Body<T> body) {
        return Generator.of(body, suspension::of);
    }

    /** The numbers from 0 on, without an end. */
    Generator<Integer> numbers() {
        return of(emitter -> {
            for (int i = 0; ; i++) {
                emitter.emit(i);
            }
        });
    }

    /** Plays on this stage, and throws what the play throws. */
    void run(Action play) throws Exception {
        run(_ -> play.run());
    }

    /** Plays on this stage; the play is told the runtime, if the stage has one. */
    void run(Play play) throws Exception {
        switch (place) {
            case PLATFORM_THREAD -> runIn(Thread.ofPlatform().daemon().name("stage"), play);
            case VIRTUAL_THREAD -> runIn(Thread.ofVirtual().name("stage"), play);
            default -> runInCoroutine(play);
        }
    }

    interface Play {
        void run(Optional<Skein> skein) throws Exception;
    }

    private static void runIn(Thread.Builder builder, Play play) throws Exception {
        CompletableFuture<Void> end = new CompletableFuture<>();
        Thread thread = builder.start(() -> {
            try {
                play.run(Optional.empty());
                end.complete(null);
            } catch (Throwable e) {
                end.completeExceptionally(e);
            }
        });
        try {
            end.get();
        } catch (ExecutionException e) {
            throw rethrow(Objects.requireNonNull(e.getCause()));
        } finally {
            thread.join();
        }
    }

    private void runInCoroutine(Play play) throws Exception {
        List<Throwable> failures = new ArrayList<>();
        Skein skein = Skein.builder()
                .workers(place.workers)
                .scheduling(place.scheduling)
                .name("skein-test")
                .watchdog(Duration.ZERO)
                .start();
        try {
            skein.blockOn(() -> {
                try {
                    play.run(Optional.of(skein));
                } catch (Throwable e) {
                    failures.add(e);
                }
            });
        } finally {
            RuntimeTest.closeWithinBound(skein);
        }
        if (!failures.isEmpty()) {
            throw rethrow(failures.getFirst());
        }
    }

    private static Exception rethrow(Throwable failure) {
        if (failure instanceof Error e) {
            throw e;
        }
        return (Exception) failure;
    }

    @Override
    public String toString() {
        return place + " " + suspension;
    }
}
