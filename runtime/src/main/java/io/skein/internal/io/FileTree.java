package io.skein.internal.io;

import java.io.IOException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.Set;

/**
 * The file system by way of some backend: it opens files, and changes and looks up names.
 *
 * <p>Callers are coroutines of its runtime. Paths are of the default file system. What fails throws what {@link
 * java.nio.file.Files} would, with path and operation in the text; an interrupted call that did nothing throws {@link
 * java.io.InterruptedIOException}. Symbolic links are followed only where it is said.
 */
public interface FileTree {
    /**
     * Opens a file, as {@link java.nio.channels.FileChannel#open} does: links are followed unless the options say
     * otherwise, and without options the file is opened to be read.
     */
    FileHandle open(Path path, Set<? extends OpenOption> options) throws IOException;

    /** Removes the name of anything but a directory. */
    void delete(Path path) throws IOException;

    /** Removes an empty directory. */
    void deleteDirectory(Path path) throws IOException;

    /**
     * Gives a file another name, in one step.
     *
     * @param replace whether what has that name already is to go; otherwise it is a failure
     */
    void rename(Path from, Path to, boolean replace) throws IOException;

    void createDirectory(Path path) throws IOException;

    /** Gives a file one more name. */
    void createLink(Path link, Path existing) throws IOException;

    /** Makes a symbolic link, whatever its target is. */
    void createSymbolicLink(Path link, Path target) throws IOException;

    FileStatus status(Path path, boolean followLinks) throws IOException;
}
