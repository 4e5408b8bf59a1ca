package io.skein.internal.linux;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.ProviderMismatchException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The names of files as the kernel has them, which are bytes, and as the JDK has them, which are text. Any thread may call it. */
public final class FileNames {
    /** The JDK's own encoding of file names: what it decoded goes back as the same bytes. */
    public static final Charset CHARSET = Charset.forName(
            System.getProperty("sun.jnu.encoding", Charset.defaultCharset().name()));

    private FileNames() {}

    /** Whether every name that is a text can be a path. In the POSIX locale only those of ASCII can. */
    public static boolean haveAllTexts() {
        return CHARSET.equals(StandardCharsets.UTF_8);
    }

    /**
     * A path as the kernel has it; no bytes for the empty path.
     *
     * @throws InvalidPathException if it has bytes that are no text: the JDK keeps them to itself, and another file could be
     *     meant by what it shows
     */
    public static byte[] bytes(Path path) {
        if (path.getFileSystem() != FileSystems.getDefault()) {
            throw new ProviderMismatchException("not of the default file system: " + path);
        }
        String name = path.toString();
        if (name.chars().anyMatch(c -> c > 127)
                && !path.getFileSystem().getPath(name).equals(path)) {
            throw new InvalidPathException(name, "not a text in " + CHARSET);
        }
        return name.getBytes(CHARSET);
    }

    /** The path of that name, or null if the bytes are no text in the JDK's encoding, so that no path stands for them. */
    public static @Nullable Path path(byte[] name) {
        String text = new String(name, CHARSET);
        if (!Arrays.equals(text.getBytes(CHARSET), name)) {
            return null;
        }
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            return null;
        }
    }
}
