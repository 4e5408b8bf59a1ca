package io.skein.internal.io.uring;

import io.skein.internal.linux.FileNames;
import io.skein.internal.linux.Libc;
import io.skein.internal.linux.Memory;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/**
 * An operation on one or two names. It is used once: whoever made it frees it.
 *
 * <p>Relative paths start at the process's working directory.
 */
abstract class PathOperation extends UringOperation {
    /** In place of a directory's descriptor: the working directory. */
    static final int AT_FDCWD = -100;

    private final long memory;

    /** Where the second name begins. */
    private final int firstSize;

    /** Where the memory begins that a subclass asked for. */
    private final int namesSize;

    PathOperation(byte[] first, byte[] second, int more) {
        firstSize = first.length + 1;
        namesSize = (firstSize + second.length + 1 + 7) & -8;
        memory = Libc.allocate(namesSize + more); // zeroed, so names end
        Memory.copy(first, 0, memory, first.length);
        Memory.copy(second, 0, memory + firstSize, second.length);
    }

    /**
     * A path as the kernel wants it.
     *
     * @throws InvalidPathException if it has bytes that are no text: the JDK keeps them to itself, and another file could be
     *     meant by what it shows
     */
    static byte[] bytes(Path path) {
        byte[] name = FileNames.bytes(path);
        return name.length == 0 ? new byte[] {'.'} : name;
    }

    static byte[] none() {
        return new byte[0];
    }

    final long first() {
        return memory;
    }

    final long second() {
        return memory + firstSize;
    }

    final long extra() {
        return memory + namesSize;
    }

    /** Gives the memory back; the operation is not in flight and not used again. */
    final void free() {
        Libc.free(memory);
    }
}
