package io.skein.internal.io;

import java.time.Instant;

/**
 * What a file system knows of a file.
 *
 * @param created when it was made; where nobody knows, {@code modified}
 * @param permissions the low twelve bits of the file's mode; 0 where the system has no such thing, as for the next three
 * @param device the device that it is on
 * @param inode its number there: with the device, it tells two files apart
 * @param links how many names it has
 */
public record FileStatus(
        Kind kind,
        long size,
        Instant modified,
        Instant accessed,
        Instant created,
        int permissions,
        long device,
        long inode,
        long links) {
    /** What sort of file. */
    public enum Kind {
        REGULAR,
        DIRECTORY,
        SYMBOLIC_LINK,
        OTHER
    }

    static final int KIND_BITS = 0xf000;
    static final int PERMISSION_BITS = 0xfff;

    /** The permissions in a {@code st_mode}. */
    public static int permissionsOf(int mode) {
        return mode & PERMISSION_BITS;
    }

    /** The kind in a {@code st_mode}. */
    public static Kind kindOf(int mode) {
        return switch (mode & KIND_BITS) {
            case 0x8000 -> Kind.REGULAR;
            case 0x4000 -> Kind.DIRECTORY;
            case 0xa000 -> Kind.SYMBOLIC_LINK;
            default -> Kind.OTHER;
        };
    }
}
