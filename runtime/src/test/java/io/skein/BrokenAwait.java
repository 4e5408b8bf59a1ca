package io.skein;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** An await with a flaw, to see that the tests of {@link Awaiter} notice. Shorter than the real one, too. */
final class BrokenAwait {
    enum Flaw {
        /** Nothing remembers a resume that comes before the park. */
        EARLY_RESUME_IS_LOST,
        /** Two resumes may both find that they are the first. */
        RESUME_WITHOUT_COMPARE_AND_SET,
        /** An interrupt and a resume may both find that they ended the wait. */
        WITHDRAWAL_WITHOUT_COMPARE_AND_SET
    }

    private final Flaw flaw;
    private volatile @Nullable Thread parked;
    private volatile boolean resumed;
    private volatile boolean withdrawn;

    private BrokenAwait(Flaw flaw) {
        this.flaw = flaw;
    }

    static String await(Awaiter<String> awaiter, Flaw flaw) throws InterruptedException {
        return new BrokenAwait(flaw).await(awaiter);
    }

    private String await(Awaiter<String> awaiter) throws InterruptedException {
        Thread self = Thread.currentThread();
        if (flaw != Flaw.EARLY_RESUME_IS_LOST) {
            parked = self;
        }
        if (awaiter.suspend(this::resume)) {
            Collision.openWindow();
            parked = self;
            while (!resumed) {
                LockSupport.park();
                if (Thread.interrupted() && !resumed) {
                    Collision.openWindow();
                    withdrawn = true;
                    throw new InterruptedException();
                }
            }
        }
        return awaiter.resume();
    }

    private boolean resume() {
        Thread waiting = parked;
        if (waiting == null) {
            return true;
        }
        if (resumed || withdrawn) {
            return false;
        }
        Collision.openWindow();
        resumed = true;
        LockSupport.unpark(waiting);
        return true;
    }
}
