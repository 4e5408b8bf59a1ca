package io.skein.internal.io;

import java.nio.channels.NonReadableChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Set;

/** How a file is opened: the options that were asked for, found to be consistent. Immutable. */
public final class OpenMode {
    private static final int O_WRONLY = 1;
    private static final int O_RDWR = 2;
    private static final int O_CREAT = 0x40;
    private static final int O_EXCL = 0x80;
    private static final int O_TRUNC = 0x200;
    private static final int O_APPEND = 0x400;
    private static final int O_DSYNC = 0x1000;
    private static final int O_CLOEXEC = 0x80000;
    private static final int O_SYNC = 0x101000;

    /** One of the few flags whose number depends on the processor. */
    private static final int O_NOFOLLOW = System.getProperty("os.arch", "").equals("aarch64") ? 0x8000 : 0x20000;

    private final Set<OpenOption> options;
    private final boolean append;
    private final boolean read;
    private final boolean write;

    /**
     * Checks the options.
     *
     * @throws IllegalArgumentException if two of them contradict each other
     * @throws UnsupportedOperationException if one is not known
     */
    public OpenMode(Set<? extends OpenOption> asked) {
        options = new HashSet<>(asked);
        for (OpenOption option : options) {
            if (!(option instanceof StandardOpenOption) && option != LinkOption.NOFOLLOW_LINKS) {
                throw new UnsupportedOperationException(option + " is not supported");
            }
        }
        append = has(StandardOpenOption.APPEND);
        write = append || has(StandardOpenOption.WRITE);
        read = has(StandardOpenOption.READ) || !write;
        if (append && (read || has(StandardOpenOption.TRUNCATE_EXISTING))) {
            throw new IllegalArgumentException("APPEND goes neither with READ nor with TRUNCATE_EXISTING: " + options);
        }
    }

    private boolean has(OpenOption option) {
        return options.contains(option);
    }

    public Set<OpenOption> options() {
        return Set.copyOf(options);
    }

    void checkReadable() {
        if (!read) {
            throw new NonReadableChannelException();
        }
    }

    void checkWritable() {
        if (!write) {
            throw new NonWritableChannelException();
        }
    }

    /** Checks that it can be written at a position: what is appended goes to the end, whatever position is named. */
    void checkPositions() {
        checkWritable();
        if (append) {
            throw new IllegalArgumentException("a file that was opened to append is not written by position");
        }
    }

    public boolean deleteOnClose() {
        return has(StandardOpenOption.DELETE_ON_CLOSE);
    }

    /** The flags of {@code open(2)}. What creates or cuts a file counts only where it is opened for writing. */
    public int linuxFlags() {
        int flags = O_CLOEXEC;
        if (write) {
            flags |= read ? O_RDWR : O_WRONLY;
            flags |= append ? O_APPEND : 0;
            flags |= has(StandardOpenOption.TRUNCATE_EXISTING) ? O_TRUNC : 0;
            if (has(StandardOpenOption.CREATE_NEW)) {
                flags |= O_CREAT | O_EXCL;
            } else if (has(StandardOpenOption.CREATE)) {
                flags |= O_CREAT;
            }
        }
        if (has(LinkOption.NOFOLLOW_LINKS) || deleteOnClose()) {
            flags |= O_NOFOLLOW;
        }
        if (has(StandardOpenOption.SYNC)) {
            flags |= O_SYNC;
        } else if (has(StandardOpenOption.DSYNC)) {
            flags |= O_DSYNC;
        }
        return flags;
    }
}
