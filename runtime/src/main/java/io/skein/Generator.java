package io.skein;

import io.skein.internal.loom.ThreadTurns;
import io.skein.internal.loom.Turns;
import io.skein.internal.sched.Scheduler;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Spliterator;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * Elements that a piece of code emits one by one, when they are asked for. Belongs to the thread that first asks; a call
 * by another thread throws {@link WrongThreadException}.
 *
 * {@snippet :
 * Generator<Integer> squares = Generator.of(emitter -> {
 *     for (int i = 0; ; i++) {
 *         emitter.emit(i * i);
 *     }
 * });
 * try (Stream<Integer> stream = squares.stream()) {
 *     List<Integer> some = stream.limit(3).toList();
 * }
 * }
 *
 * <p><b>Lazy.</b> Nothing runs before the first {@link #hasNext} or {@link #next}, and nothing runs ahead: the body is
 * suspended in {@link Emitter#emit} until the next element is asked for. It may be endless. There is one pass.
 *
 * <p><b>The body may wait.</b> Its consumer waits with it: a coroutine, or another virtual thread, is suspended and lets
 * go of its worker while the body waits for I/O, a sleep, a lock, a monitor or another coroutine. It holds the worker only
 * where a coroutine without a generator would: under a native frame and in a class initialiser, of the body or of
 * the consumer. An interrupt of the consumer reaches the body where it waits.
 *
 * <p><b>Failures</b> come out of the {@code hasNext} or {@code next} that ran the body: unchecked exceptions and errors as
 * they are, checked ones as the cause of a {@link java.util.concurrent.CompletionException}. For an
 * {@link InterruptedException} the interrupt status is set again too. Afterwards the generator has ended.
 *
 * <p><b>Closing</b> unwinds a body that is suspended in {@code emit}, so that its {@code finally} blocks run and its
 * resources are closed. A generator that is abandoned half-way is collected, and nothing stays behind; but its
 * {@code finally} blocks are not to be counted on then.
 *
 * <p><b>With the flags</b> the body runs on its consumer's thread, in a continuation of its own. Monitors that the consumer
 * holds are the body's too; {@code emit} inside a {@code synchronized} block of the body is refused, unless the JVM has
 * inflated the monitor, and then it stays held. On a virtual thread, stack traces that are made in the body end where
 * the body begins, and {@link Thread#getStackTrace} of the thread waits until the body is suspended.
 *
 * <p><b>Without them</b> it runs on a virtual thread of its own, which takes turns with the consumer's. Interrupts and the
 * current runtime go along. Thread locals, scoped values and the ownership of locks do not, monitors kept across
 * {@code emit} are not noticed, {@code finally} blocks of an abandoned body run some time after the collector has
 * noticed, and a body that refers to its own generator keeps it from being collected.
 *
 * <p><b>States.</b> Only the owner changes them; {@code owner} itself is set once, by whoever wins.
 * <pre>
 * NEW       -> RUNNING    hasNext, next: the caller becomes the owner
 * NEW       -> ENDED      close, or emitAll took the body: the caller becomes the owner
 * RUNNING   -> SUSPENDED  the body has emitted; the element is in the emission until next takes it
 * RUNNING   -> ENDED      the body has returned, failed or been unwound
 * SUSPENDED -> RUNNING    hasNext, next once the element is taken; or close
 * </pre>
 * In RUNNING every call is one by the body itself, so it is refused. {@code turns} is set from the first RUNNING until
 * ENDED.
 *
 * @param <T> the type of the elements
 */
@SuppressWarnings("IterableAndIterator") // on purpose: there is one pass, and iterator() refuses a second
public final class Generator<T extends @Nullable Object> implements Iterable<T>, Iterator<T>, AutoCloseable {
    /** Code that emits. */
    @FunctionalInterface
    public interface Body<T extends @Nullable Object> {
        void run(Emitter<T> emitter) throws Exception;
    }

    private enum State {
        NEW,
        RUNNING,
        SUSPENDED,
        ENDED
    }

    private static final VarHandle OWNER;

    static {
        try {
            OWNER = MethodHandles.lookup().findVarHandle(Generator.class, "owner", Thread.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Emission<T> emission;
    private final Function<Runnable, Turns> kind;

    private @Nullable Turns turns;
    private volatile @Nullable Thread owner;
    private State state = State.NEW; // plain: other threads may be late in seeing the end, and are refused till then
    private boolean elementReady;
    private boolean passTaken;

    private Generator(Body<T> body, Function<Runnable, Turns> kind) {
        this.emission = new Emission<>(Objects.requireNonNull(body, "body"));
        this.kind = kind;
    }

    /** A generator of what {@code body} emits. The body does not run yet. */
    public static <T extends @Nullable Object> Generator<T> of(Body<T> body) {
        return new Generator<>(body, Turns::of);
    }

    /** For tests: chooses how the body is suspended. */
    static <T extends @Nullable Object> Generator<T> of(Body<T> body, Function<Runnable, Turns> kind) {
        return new Generator<>(body, kind);
    }

    /**
     * This generator itself, once.
     *
     * @throws IllegalStateException if it was asked for before, by this method or by {@link #stream}
     */
    @Override
    public Iterator<T> iterator() {
        takePass();
        return this;
    }

    /**
     * The elements as a lazy, ordered stream. Closing the stream closes the generator; a stream that is not read to its
     * end should be closed. It is sequential: making it parallel does not help, because one thread has to run the body.
     *
     * @throws IllegalStateException if the elements were asked for before, by this method or by {@link #iterator}
     */
    public Stream<T> stream() {
        takePass();
        return StreamSupport.stream(new Elements<>(this), false).onClose(this::close);
    }

    private void takePass() {
        if (passTaken) {
            throw new IllegalStateException("a generator can be iterated only once");
        }
        passTaken = true;
    }

    /**
     * Whether there is another element. Runs the body up to its next {@code emit}, or to its end.
     *
     * @throws WrongThreadException if another thread has started this generator
     * @throws IllegalStateException if the body itself calls this
     */
    @Override
    public boolean hasNext() {
        if (state == State.NEW && claim()) {
            start();
            return advance();
        }
        if (state == State.ENDED) {
            return false;
        }
        checkOwner();
        return elementReady || advance();
    }

    /**
     * The next element.
     *
     * @throws NoSuchElementException if there is none
     * @throws WrongThreadException if another thread has started this generator
     * @throws IllegalStateException if the body itself calls this
     */
    @Override
    public T next() {
        if (!hasNext()) {
            throw new NoSuchElementException("the generator has ended");
        }
        elementReady = false;
        return emission.take();
    }

    /**
     * Ends the generator. A body that is suspended in {@code emit} is unwound, and what it throws meanwhile is thrown here
     * as {@link #next} would. One that has not started never will. Idempotent.
     *
     * @throws WrongThreadException if another thread has started this generator, and it has not ended
     * @throws IllegalStateException if the body itself calls this
     */
    @Override
    public void close() {
        if (state == State.NEW && claim()) {
            state = State.ENDED;
        }
        if (state == State.ENDED) {
            return;
        }
        checkOwner();
        elementReady = false;
        emission.close();
        advance();
    }

    /** Takes the body of a generator that has not started, which ends it; null if it has started or was closed. */
    @Nullable
    Body<T> takeBody() {
        if (state != State.NEW || !claim()) {
            return null;
        }
        state = State.ENDED;
        return emission.takeBody();
    }

    private void start() {
        Turns started = kind.apply(Scheduler.carryingCurrent(emission));
        started.endWith(this, emission::close);
        turns = started;
    }

    /** Lets the body run; says whether it has emitted. */
    private boolean advance() {
        Turns turns = Objects.requireNonNull(this.turns);
        state = State.RUNNING;
        try {
            elementReady = emission.advance(turns);
        } finally { // where the body could not be resumed, for want of stack or memory, it has ended too
            state = elementReady ? State.SUSPENDED : State.ENDED;
            Reference.reachabilityFence(this); // while the body runs, nobody may think it abandoned
        }
        if (!elementReady) {
            this.turns = null;
            turns.end();
            emission.throwFailure();
        }
        return elementReady;
    }

    /** Makes the caller the owner, if there is none. */
    private boolean claim() {
        return owner == null && OWNER.compareAndSet(this, null, ThreadTurns.principal());
    }

    private void checkOwner() {
        Thread caller = Thread.currentThread();
        if (owner != caller && owner != ThreadTurns.principal()) {
            throw new WrongThreadException(
                    "the generator belongs to " + owner + ", which started it; called by " + caller);
        }
        if (state == State.RUNNING) {
            throw new IllegalStateException("the generator's body cannot use the generator that runs it");
        }
    }

    @Override
    public String toString() {
        return switch (state) {
            case NEW -> "Generator[not started]";
            case RUNNING -> "Generator[running]";
            case SUSPENDED -> "Generator[suspended]";
            case ENDED -> "Generator[ended]";
        };
    }

    /** What a stream reads. It never splits, so even a parallel stream stays on the thread that evaluates it. */
    private record Elements<T extends @Nullable Object>(Generator<T> generator) implements Spliterator<T> {
        @Override
        public boolean tryAdvance(Consumer<? super T> action) {
            if (!generator.hasNext()) {
                return false;
            }
            action.accept(generator.next());
            return true;
        }

        @Override
        public @Nullable Spliterator<T> trySplit() {
            return null;
        }

        @Override
        public long estimateSize() {
            return Long.MAX_VALUE;
        }

        @Override
        public int characteristics() {
            return ORDERED;
        }
    }
}
