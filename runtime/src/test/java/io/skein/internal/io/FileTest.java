package io.skein.internal.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.skein.RuntimeTest;
import io.skein.Setup;
import io.skein.internal.sched.Scheduler;
import io.skein.internal.sched.SchedulerAccess;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.io.TempDir;

/** What the tests of files share: a directory, the backend's file tree, and text in place of buffers. */
@SuppressWarnings("exports") // Tests are patched into the module; nobody sees them outside.
public abstract class FileTest extends RuntimeTest {
    protected static final OpenOption READ = StandardOpenOption.READ;
    protected static final OpenOption WRITE = StandardOpenOption.WRITE;
    protected static final OpenOption CREATE = StandardOpenOption.CREATE;

    @TempDir
    protected Path directory;

    protected FileTest(Setup setup) {
        super(setup);
    }

    /** A body that opens, uses and closes. */
    @FunctionalInterface
    protected interface Use {
        void of(FileHandle file) throws Exception;
    }

    protected final Scheduler scheduler() {
        return SchedulerAccess.of(skein);
    }

    protected FileTree files() {
        return scheduler().backend().files(scheduler());
    }

    /** A file of this content. */
    protected final Path file(String content) throws IOException {
        return Files.writeString(directory.resolve("file"), content);
    }

    /** Uses an open file in a coroutine. */
    protected final void use(Path path, Use use, OpenOption... options) throws InterruptedException {
        skein.blockOn(() -> {
            FileHandle file = files().open(path, Set.of(options));
            try {
                use.of(file);
            } finally {
                file.close();
            }
        });
    }

    protected static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    protected static ByteBuffer directBytes(String text) {
        return ByteBuffer.allocateDirect(text.length()).put(bytes(text)).flip();
    }

    /** What was read into a buffer from its beginning. */
    protected static String text(ByteBuffer target) {
        return StandardCharsets.UTF_8.decode(target.duplicate().flip()).toString();
    }

    /** Buffers of every kind. */
    protected static List<ByteBuffer> buffers(int size) {
        return List.of(
                ByteBuffer.allocateDirect(size),
                ByteBuffer.allocate(size),
                ByteBuffer.allocateDirect(size + 10).slice(7, size),
                ByteBuffer.allocate(size + 10).slice(7, size));
    }

    /** Expects a call to be interrupted, and the interrupt status to stay set; clears it then. */
    protected static void expectInterrupt(ThrowingCallable call) {
        assertThatExceptionOfType(InterruptedIOException.class).isThrownBy(call);
        assertThat(Thread.interrupted()).as("interrupt status").isTrue();
    }
}
