package io.skein.internal.io.nio;

import io.skein.internal.io.BlockingCall;
import io.skein.internal.io.FileHandle;
import io.skein.internal.io.FileStatus;
import io.skein.internal.io.FileTree;
import io.skein.internal.io.OpenMode;
import io.skein.internal.io.OpenSockets;
import io.skein.internal.io.Submitter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NotDirectoryException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.ProviderMismatchException;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Files by way of the JDK, whose calls block: threads for such calls make them. Any thread may have it. */
public final class NioFileTree implements FileTree {
    private static final boolean HAS_UNIX_VIEW =
            FileSystems.getDefault().supportedFileAttributeViews().contains("unix");

    private final OpenSockets openSockets;
    private final Submitter submitter;

    public NioFileTree(OpenSockets openSockets, Submitter submitter) {
        this.openSockets = openSockets;
        this.submitter = submitter;
    }

    private <T extends @Nullable Object> T call(
            String operation, Path path, @Nullable Path other, BlockingCall.Code<? extends T> code) throws IOException {
        if (path.getFileSystem() != FileSystems.getDefault()) {
            throw new ProviderMismatchException("not of the default file system: " + path);
        }
        try {
            return BlockingCall.make(submitter, operation, path, code);
        } catch (IOException e) {
            throw NioFileFailures.exception(operation, path, other, e);
        }
    }

    @Override
    public FileHandle open(Path path, Set<? extends OpenOption> options) throws IOException {
        OpenMode mode = new OpenMode(options);
        FileChannel channel = call("open", path, null, () -> FileChannel.open(path, mode.options()));
        try {
            return new NioFile(openSockets, submitter, path, mode, channel);
        } catch (RuntimeException | Error e) {
            BlockingCall.<@Nullable Void>makeUninterruptibly(submitter, () -> {
                channel.close();
                return null;
            });
            throw e;
        }
    }

    @Override
    public void delete(Path path) throws IOException {
        delete(path, false);
    }

    @Override
    public void deleteDirectory(Path path) throws IOException {
        delete(path, true);
    }

    /** The JDK does not care what it deletes, so somebody has to look first. */
    private void delete(Path path, boolean directory) throws IOException {
        this.<@Nullable Void>call("delete", path, null, () -> {
            if (attributes(path, false).isDirectory() != directory) {
                throw directory
                        ? new NotDirectoryException(path.toString())
                        : new FileSystemException(path.toString(), null, "Is a directory");
            }
            Files.delete(path);
            return null;
        });
    }

    private static BasicFileAttributes attributes(Path path, boolean followLinks) throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class, links(followLinks));
    }

    private static LinkOption[] links(boolean follow) {
        return follow ? new LinkOption[0] : new LinkOption[] {LinkOption.NOFOLLOW_LINKS};
    }

    /** Whether there is something to replace is looked at first; who comes between is replaced. */
    @Override
    public void rename(Path from, Path to, boolean replace) throws IOException {
        call("rename", from, to, () -> {
            BasicFileAttributes _ = attributes(from, false); // what is not there is the first to be told of
            if (!replace && Files.exists(to, LinkOption.NOFOLLOW_LINKS)) {
                throw new FileAlreadyExistsException(from.toString());
            }
            return Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        });
    }

    @Override
    public void createDirectory(Path path) throws IOException {
        call("create directory", path, null, () -> Files.createDirectory(path));
    }

    @Override
    public void createLink(Path link, Path existing) throws IOException {
        call("link", link, existing, () -> Files.createLink(link, existing));
    }

    @Override
    public void createSymbolicLink(Path link, Path target) throws IOException {
        call("link", link, null, () -> Files.createSymbolicLink(link, target));
    }

    @Override
    public FileStatus status(Path path, boolean followLinks) throws IOException {
        return call("status", path, null, () -> lookUp(path, followLinks));
    }

    /** Looks a name up. It blocks. */
    static FileStatus lookUp(Path path, boolean followLinks) throws IOException {
        if (HAS_UNIX_VIEW) {
            return ofUnix(Files.readAttributes(path, "unix:*", links(followLinks)));
        }
        BasicFileAttributes found = attributes(path, followLinks);
        FileStatus.Kind kind = found.isRegularFile()
                ? FileStatus.Kind.REGULAR
                : found.isDirectory()
                        ? FileStatus.Kind.DIRECTORY
                        : found.isSymbolicLink() ? FileStatus.Kind.SYMBOLIC_LINK : FileStatus.Kind.OTHER;
        return new FileStatus(
                kind,
                found.size(),
                found.lastModifiedTime().toInstant(),
                found.lastAccessTime().toInstant(),
                found.creationTime().toInstant(),
                0,
                0,
                0,
                0);
    }

    private static FileStatus ofUnix(Map<String, Object> found) {
        int mode = (Integer) attribute(found, "mode");
        return new FileStatus(
                FileStatus.kindOf(mode),
                (Long) attribute(found, "size"),
                ((FileTime) attribute(found, "lastModifiedTime")).toInstant(),
                ((FileTime) attribute(found, "lastAccessTime")).toInstant(),
                ((FileTime) attribute(found, "creationTime")).toInstant(),
                FileStatus.permissionsOf(mode),
                (Long) attribute(found, "dev"),
                (Long) attribute(found, "ino"),
                (Integer) attribute(found, "nlink"));
    }

    private static Object attribute(Map<String, Object> found, String name) {
        Object value = found.get(name);
        if (value == null) {
            throw new UncheckedIOException(new IOException("the JDK tells no " + name + " of a file"));
        }
        return value;
    }
}
