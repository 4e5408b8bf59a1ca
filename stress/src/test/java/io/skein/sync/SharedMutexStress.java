package io.skein.sync;

import io.skein.Window;
import java.time.Duration;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** A shared mutex: nobody reads while somebody writes, and a writer that gives up holds nobody up. */
final class SharedMutexStress {
    private SharedMutexStress() {}

    @Outcome(
            id = {"0, 0", "1, 1"},
            expect = Expect.ACCEPTABLE,
            desc = "before the write or after it")
    @Outcome(expect = Expect.FORBIDDEN, desc = "in the middle of it")
    static final class WholeWrites {
        private WholeWrites() {}
    }

    @JCStressTest
    @JCStressMeta(WholeWrites.class)
    @State
    public static class ReadAgainstWrite {
        private final SharedMutex mutex = new SharedMutex();
        private int left;
        private int right;

        @Actor
        public void writer() {
            try {
                mutex.lockExclusive();
                left = 1;
                right = 1;
                mutex.unlockExclusive();
            } catch (InterruptedException e) {
                throw new AssertionError("jcstress interrupts nobody", e);
            }
        }

        @Actor
        public void reader(II_Result result) {
            try {
                mutex.lockShared();
                result.r1 = left;
                result.r2 = right;
                mutex.unlockShared();
            } catch (InterruptedException e) {
                throw new AssertionError("jcstress interrupts nobody", e);
            }
        }
    }

    /** Notes that it writes when it has looked whether somebody reads, and the other way round. */
    @JCStressTest
    @JCStressMeta(WholeWrites.class)
    @State
    public static class BrokenReadAgainstWrite {
        private final Window window = new Window();
        private volatile boolean reading;
        private volatile boolean writing;
        private int left;
        private int right;

        @Actor
        public void writer() {
            while (reading) {
                Thread.onSpinWait();
            }
            writing = true;
            left = 1;
            window.open();
            right = 1;
            writing = false;
        }

        @Actor
        public void reader(II_Result result) {
            while (writing) {
                Thread.onSpinWait();
            }
            window.open();
            reading = true;
            result.r1 = left;
            result.r2 = right;
            reading = false;
        }
    }

    @JCStressTest
    @Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "the reader is in, and nobody is left in line")
    @Outcome(expect = Expect.FORBIDDEN, desc = "a writer that has gone still holds the reader up")
    @State
    public static class ReadAgainstWriterThatGivesUp {
        private final SharedMutex mutex = new SharedMutex();

        public ReadAgainstWriterThatGivesUp() {
            mutex.tryLockShared();
        }

        @Actor
        public void writer() {
            try {
                if (mutex.tryLockExclusive(Duration.ZERO)) {
                    throw new AssertionError("it is shared");
                }
            } catch (InterruptedException e) {
                throw new AssertionError("jcstress interrupts nobody", e);
            }
        }

        @Actor
        public void reader(ZZ_Result result) {
            try {
                mutex.lockShared();
                result.r1 = true;
            } catch (InterruptedException e) {
                throw new AssertionError("jcstress interrupts nobody", e);
            }
        }

        @Arbiter
        public void end(ZZ_Result result) {
            result.r2 = mutex.isDeserted() && mutex.tryLockShared();
        }
    }
}
