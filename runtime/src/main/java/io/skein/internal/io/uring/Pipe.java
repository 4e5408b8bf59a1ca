package io.skein.internal.io.uring;

import io.skein.internal.linux.Errno;
import io.skein.internal.linux.Libc;
import io.skein.internal.linux.Memory;
import java.io.IOException;

/**
 * A pipe inside this process, which splices go through.
 *
 * @param exit the descriptor that is read from
 * @param entry the descriptor that is written to
 */
record Pipe(int exit, int entry) implements AutoCloseable {
    /** What a pipe holds, unless it is told otherwise. */
    static final int CAPACITY = 64 * 1024;

    static Pipe open() throws IOException {
        long pair = Libc.allocate(2 * Integer.BYTES);
        try {
            int result = Libc.pipe(pair);
            if (result < 0) {
                throw new IOException("pipe: " + Errno.describe(-result));
            }
            int exit = Memory.plainInt(pair);
            int entry = Memory.plainInt(pair + Integer.BYTES);
            try {
                return new Pipe(exit, entry);
            } catch (Throwable e) { // no memory
                Libc.close(exit);
                Libc.close(entry);
                throw e;
            }
        } finally {
            Libc.free(pair);
        }
    }

    @Override
    public void close() {
        Libc.close(exit);
        Libc.close(entry);
    }
}
