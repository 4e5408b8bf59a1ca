package io.skein.internal.io;

/** How a part of a file is going to be used. */
public enum Advice {
    NORMAL,
    RANDOM,
    SEQUENTIAL,
    WILL_NEED,
    DONT_NEED,
    NO_REUSE
}
