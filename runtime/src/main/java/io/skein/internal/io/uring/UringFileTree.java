package io.skein.internal.io.uring;

import io.skein.internal.Headroom;
import io.skein.internal.io.FileHandle;
import io.skein.internal.io.FileStatus;
import io.skein.internal.io.FileTree;
import io.skein.internal.io.OpenMode;
import io.skein.internal.io.Submitter;
import io.skein.internal.io.nio.NioFileTree;
import io.skein.internal.linux.FileErrors;
import java.io.IOException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Files by way of rings. Any thread may have it; coroutines call it.
 *
 * <p>What a kernel's rings cannot do goes the way of the portable backend, operation by operation. A kernel without the
 * operations of Linux 5.11 has no file tree of this kind at all: see {@link #isPossible}.
 */
final class UringFileTree implements FileTree {
    private static final byte[] NEEDED = {
        Abi.IORING_OP_READV,
        Abi.IORING_OP_WRITEV,
        Abi.IORING_OP_FSYNC,
        Abi.IORING_OP_FALLOCATE,
        Abi.IORING_OP_OPENAT,
        Abi.IORING_OP_CLOSE,
        Abi.IORING_OP_STATX,
        Abi.IORING_OP_READ,
        Abi.IORING_OP_WRITE,
        Abi.IORING_OP_FADVISE,
        Abi.IORING_OP_SPLICE,
        Abi.IORING_OP_RENAMEAT,
        Abi.IORING_OP_UNLINKAT
    };

    private final UringBackend backend;
    private final Submitter submitter;
    private final UringProbe probe;
    private final FileTree twin;

    UringFileTree(UringBackend backend, Submitter submitter, UringProbe probe) {
        this.backend = backend;
        this.submitter = submitter;
        this.probe = probe;
        this.twin = new NioFileTree(backend.openSockets(), submitter);
    }

    static boolean isPossible(UringProbe probe) {
        for (byte opcode : NEEDED) {
            if (!probe.supports(opcode)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public FileHandle open(Path path, Set<? extends OpenOption> options) throws IOException {
        Headroom.toBegin(); // who opens can close, too
        OpenMode mode = new OpenMode(options);
        OpenAt open = new OpenAt(path, mode.linuxFlags());
        int fd;
        try {
            fd = open.performThrough(submitter);
        } finally {
            open.free();
        }
        if (fd < 0) {
            throw FileErrors.exception("open", path.toString(), null, -fd);
        }
        try {
            if (mode.deleteOnClose()) {
                deleteOpened(path);
            }
            return new UringFile(backend, submitter, path, mode, fd, probe);
        } catch (RuntimeException | Error e) {
            Close.closeUnused(submitter, fd);
            throw e;
        }
    }

    /** The file lives on without a name until it is closed, as with the JDK. Should its name be gone, so much the better. */
    private void deleteOpened(Path path) {
        UnlinkAt unlink = new UnlinkAt(path, false);
        try {
            unlink.performUninterruptibly(submitter);
        } finally {
            unlink.free();
        }
    }

    private void perform(String operation, PathOperation request, Path path, @Nullable Path other) throws IOException {
        try {
            Headroom.toBegin();
            int result = request.performThrough(submitter);
            if (result < 0) {
                String second = other == null ? null : other.toString();
                throw FileErrors.exception(operation, path.toString(), second, -result);
            }
        } finally {
            request.free();
        }
    }

    @Override
    public void delete(Path path) throws IOException {
        perform("delete", new UnlinkAt(path, false), path, null);
    }

    @Override
    public void deleteDirectory(Path path) throws IOException {
        perform("delete", new UnlinkAt(path, true), path, null);
    }

    @Override
    public void rename(Path from, Path to, boolean replace) throws IOException {
        perform("rename", new RenameAt(from, to, replace), from, to);
    }

    @Override
    public void createDirectory(Path path) throws IOException {
        if (probe.supports(Abi.IORING_OP_MKDIRAT)) {
            perform("create directory", new MkdirAt(path), path, null);
        } else {
            twin.createDirectory(path);
        }
    }

    @Override
    public void createLink(Path link, Path existing) throws IOException {
        if (probe.supports(Abi.IORING_OP_LINKAT)) {
            perform("link", new LinkAt(link, existing), link, existing);
        } else {
            twin.createLink(link, existing);
        }
    }

    @Override
    public void createSymbolicLink(Path link, Path target) throws IOException {
        if (probe.supports(Abi.IORING_OP_SYMLINKAT)) {
            perform("link", new SymlinkAt(link, target), link, null);
        } else {
            twin.createSymbolicLink(link, target);
        }
    }

    @Override
    public FileStatus status(Path path, boolean followLinks) throws IOException {
        Statx statx = new Statx(path, followLinks);
        try {
            int result = statx.performThrough(submitter);
            if (result < 0) {
                throw FileErrors.exception("status", path.toString(), null, -result);
            }
            return statx.status();
        } finally {
            statx.free();
        }
    }
}
