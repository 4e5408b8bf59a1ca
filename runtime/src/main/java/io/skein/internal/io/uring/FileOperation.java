package io.skein.internal.io.uring;

import io.skein.internal.io.Lane;
import io.skein.internal.io.Submitter;
import io.skein.internal.linux.Errno;

/**
 * An operation on an open file.
 *
 * <p>Whoever closes the file wakes those that wait. For that the file knows the drivers which had operations on it: noted
 * before the start, so that the closer, who sets the file closed and then looks, misses none that does not see the file
 * closed at its start. On each of these drivers a {@link CancelDescriptor} comes before an operation's start, which then
 * does nothing, or after it, and cancels it.
 */
abstract class FileOperation extends UringOperation {
    private final UringFile file;

    FileOperation(UringFile file) {
        this.file = file;
    }

    final int fd() {
        return file.fd();
    }

    @Override
    protected final Lane chooseLane(Submitter submitter) {
        Lane chosen = submitter.lane();
        file.goesTo(chosen);
        return chosen;
    }

    @Override
    void begin(UringDriver driver) {
        if (file.isAbandoned()) {
            complete(-Errno.ECANCELED.number(), 0);
        } else {
            driver.submit(this);
        }
    }
}
