package io.skein.internal.io.nio;

import io.skein.internal.linux.Errno;
import io.skein.internal.linux.FileErrors;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Gives the JDK's failures with files the class and the text that the kernel's errors have; see {@link FileErrors}. */
final class NioFileFailures {
    private NioFileFailures() {}

    /**
     * The exception for a failed operation.
     *
     * @param other the second file of an operation that has two
     * @param failure what the JDK threw
     */
    static IOException exception(String operation, Path file, @Nullable Path other, IOException failure) {
        if (failure instanceof InterruptedIOException) {
            return failure;
        }
        String second = other == null ? null : other.toString();
        String said = said(failure);
        Errno errno = errno(failure, said);
        IOException exception = errno == null
                ? new FileSystemException(file.toString(), second, operation + ": " + said.toLowerCase(Locale.ROOT))
                : FileErrors.exception(operation, file.toString(), second, errno.number());
        exception.initCause(failure);
        return exception;
    }

    private static String said(IOException failure) {
        String said = failure instanceof FileSystemException e ? e.getReason() : failure.getMessage();
        return said == null ? failure.getClass().getSimpleName() : said;
    }

    private static @Nullable Errno errno(IOException failure, String said) {
        return switch (failure) {
            case NoSuchFileException e -> Errno.ENOENT;
            case FileAlreadyExistsException e -> Errno.EEXIST;
            case AccessDeniedException e -> Errno.EACCES;
            case DirectoryNotEmptyException e -> Errno.ENOTEMPTY;
            case NotDirectoryException e -> Errno.ENOTDIR;
            case AtomicMoveNotSupportedException e -> Errno.EXDEV;
            default -> Errno.describedAs(said);
        };
    }
}
