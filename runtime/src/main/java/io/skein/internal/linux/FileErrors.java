package io.skein.internal.linux;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import org.jspecify.annotations.Nullable;

/**
 * The exceptions of {@code java.nio.file} that the kernel's errors become.
 *
 * <p>Any thread may call it. An exception's text is {@code "<file>: <operation>: <what happened>"}, but for two that have
 * room for the file only: {@link DirectoryNotEmptyException} and {@link NotDirectoryException}.
 */
public final class FileErrors {
    private FileErrors() {}

    /**
     * The exception for a failed operation.
     *
     * @param other the second file of an operation that has two
     * @param number the positive error number
     */
    public static IOException exception(String operation, String file, @Nullable String other, int number) {
        if (number == Errno.ECANCELED.number()) {
            return Errno.exception(operation, file, number);
        }
        String reason = operation + ": " + Errno.text(number);
        if (number == Errno.ENOENT.number()) {
            return new NoSuchFileException(file, other, reason);
        }
        if (number == Errno.EEXIST.number()) {
            return new FileAlreadyExistsException(file, other, reason);
        }
        if (number == Errno.EACCES.number()) {
            return new AccessDeniedException(file, other, reason);
        }
        if (number == Errno.ENOTEMPTY.number()) {
            return new DirectoryNotEmptyException(file);
        }
        if (number == Errno.ENOTDIR.number()) {
            return new NotDirectoryException(file);
        }
        if (number == Errno.EXDEV.number()) {
            return new AtomicMoveNotSupportedException(file, other, reason);
        }
        return new FileSystemException(file, other, reason);
    }
}
