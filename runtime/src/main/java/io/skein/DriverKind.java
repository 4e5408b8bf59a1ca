package io.skein;

/** The ways in which Skein can do I/O. */
public enum DriverKind {
    /** io_uring where the kernel grants it, else {@link #NIO}. */
    AUTO,

    /** A ring per worker. Needs Linux 5.11 or newer and the permission to use io_uring. */
    URING,

    /** A selector per worker. Works everywhere. */
    NIO
}
