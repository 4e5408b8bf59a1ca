package io.skein.internal.io.uring;

import io.skein.internal.io.Submitter;
import io.skein.internal.linux.Errno;
import java.io.IOException;

/** Sends a part of a file on a socket, inside the kernel: into a pipe, and out of it. One thread uses it, for one call. */
final class SendFile {
    private final Submitter submitter;
    private final UringFile file;
    private final int socket;
    private int failure;

    SendFile(Submitter submitter, UringFile file, int socket) {
        this.submitter = submitter;
        this.file = file;
        this.socket = socket;
    }

    /** Sends so many bytes; returns how many were sent: fewer at the end of the file, and where it {@linkplain #failure fails}. */
    long perform(long position, long count, long deadline) throws IOException {
        long sent = 0;
        try (Pipe pipe = Pipe.open()) {
            while (sent < count) {
                int most = (int) Math.min(count - sent, Pipe.CAPACITY);
                int waiting = splice(deadline, file.fd(), position + sent, pipe.entry(), most);
                if (waiting <= 0) {
                    failure = waiting;
                    break;
                }
                for (int moved; waiting > 0; waiting -= moved) {
                    moved = splice(deadline, pipe.exit(), Abi.NO_OFFSET, socket, waiting);
                    if (moved <= 0) { // what is left in the pipe is still in the file
                        failure = moved == 0 ? -Errno.EPIPE.number() : moved;
                        return sent;
                    }
                    sent += moved;
                }
            }
        }
        return sent;
    }

    /** As long as nobody is interrupted, a splice that a signal broke off begins anew. */
    private int splice(long deadline, int from, long position, int to, int length) {
        Splice splice = new Splice(file, from, position, to, Abi.NO_OFFSET, length);
        try {
            int result = splice.perform(submitter, deadline);
            while (Errno.isBrokenOff(result)) {
                result = splice.perform(submitter, deadline);
            }
            return result;
        } finally {
            splice.forgetDeadline();
        }
    }

    /** The negated error number that broke it off, or 0. */
    int failure() {
        return failure;
    }
}
