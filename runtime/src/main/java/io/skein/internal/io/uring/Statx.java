package io.skein.internal.io.uring;

import io.skein.internal.io.FileStatus;
import io.skein.internal.linux.Memory;
import java.nio.file.Path;
import java.time.Instant;

/** Asks what the file system knows of a name or of an open file. */
final class Statx extends PathOperation {
    private static final int AT_SYMLINK_NOFOLLOW = 0x100;
    private static final int AT_EMPTY_PATH = 0x1000;
    private static final int STATX_BASIC_STATS = 0x7ff;
    private static final int STATX_BTIME = 0x800;

    /** {@code struct statx}. */
    private static final int SIZE = 256;

    private static final int MASK = 0;
    private static final int LINKS = 16;
    private static final int MODE = 28;
    private static final int INODE = 32;
    private static final int LENGTH = 40;
    private static final int ACCESSED = 64;
    private static final int CREATED = 80;
    private static final int MODIFIED = 112;
    private static final int DEVICE_MAJOR = 136;
    private static final int DEVICE_MINOR = 140;

    private final int fd;
    private final int flags;

    Statx(Path path, boolean followLinks) {
        super(bytes(path), none(), SIZE);
        this.fd = AT_FDCWD;
        this.flags = followLinks ? 0 : AT_SYMLINK_NOFOLLOW;
    }

    Statx(int fd) {
        super(none(), none(), SIZE);
        this.fd = fd;
        this.flags = AT_EMPTY_PATH;
    }

    @Override
    public void fill(Sqe sqe) {
        sqe.opcode(Abi.IORING_OP_STATX)
                .fd(fd)
                .buffer(first(), STATX_BASIC_STATS | STATX_BTIME)
                .offset(extra())
                .operationFlags(flags);
    }

    FileStatus status() {
        long found = extra();
        int mode = Memory.plainShort(found + MODE) & 0xffff;
        Instant modified = time(found + MODIFIED);
        boolean knowsCreated = (Memory.plainInt(found + MASK) & STATX_BTIME) != 0;
        return new FileStatus(
                FileStatus.kindOf(mode),
                Memory.plainLong(found + LENGTH),
                modified,
                time(found + ACCESSED),
                knowsCreated ? time(found + CREATED) : modified,
                FileStatus.permissionsOf(mode),
                device(Memory.plainInt(found + DEVICE_MAJOR), Memory.plainInt(found + DEVICE_MINOR)),
                Memory.plainLong(found + INODE),
                Integer.toUnsignedLong(Memory.plainInt(found + LINKS)));
    }

    private static Instant time(long address) {
        return Instant.ofEpochSecond(Memory.plainLong(address), Memory.plainInt(address + Long.BYTES));
    }

    /** Both numbers in one, as {@code makedev(3)} puts them together. */
    private static long device(long major, long minor) {
        return (major & ~0xfffL) << 32 | (major & 0xfff) << 8 | (minor & ~0xffL) << 12 | (minor & 0xff);
    }
}
