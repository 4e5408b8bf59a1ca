package io.skein.bench.blocking;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A call of the JDK's that blocks in the kernel, of which the JDK tells the carrier. One coroutine makes it, again and again. */
public interface Call extends AutoCloseable {
    /**
     * The kinds, each of which is marked in another place of the JDK. Look-ups of names are missing: nobody can make one slow that does not
     * own the machine, and a fast one blocks nothing.
     */
    public enum Kind {
        /** A child process that says nothing. */
        PROCESS_PIPE,

        /** {@code System.in}, while nobody writes. One coroutine reads, the others wait for it by a lock. */
        STANDARD_INPUT,

        /** {@code FileChannel.force}, after a small write. */
        CHANNEL_FORCE,

        /** {@code FileDescriptor.sync}, after a small write. */
        DESCRIPTOR_SYNC,

        /** A small write to a {@code RandomAccessFile} that is synchronous. */
        SYNCHRONOUS_WRITE,

        /** A large read past the system's cache. */
        DIRECT_READ,

        /** {@code MappedByteBuffer.force}, after a small write. */
        MAPPED_FORCE;

        /** Makes one for a coroutine. */
        Call open() throws IOException {
            return switch (this) {
                case PROCESS_PIPE -> new ProcessPipe();
                case STANDARD_INPUT -> () -> System.in.read();
                case CHANNEL_FORCE -> new ChannelForce();
                case DESCRIPTOR_SYNC -> new DescriptorSync();
                case SYNCHRONOUS_WRITE -> new SynchronousWrite();
                case DIRECT_READ -> new DirectRead();
                case MAPPED_FORCE -> new MappedForce();
            };
        }
    }

    int SMALL = 4096;
    int LARGE = 1 << 20;

    /** Blocks. Returns a negative number when there is no more to come. */
    int make() throws IOException;

    /** Ends one that blocks for ever, if it can be ended. Another thread calls it. */
    @Override
    default void close() throws IOException {}

    /** A file whose name is gone at once, so that nothing is left of it. */
    private static FileChannel file(StandardOpenOption... options) throws IOException {
        Path file = Files.createTempFile("skein-bench", ".blocking");
        try {
            return FileChannel.open(file, options);
        } finally {
            Files.delete(file);
        }
    }

    /** Such a file as {@link #file}. */
    private static RandomAccessFile randomAccess(String mode) throws IOException {
        Path file = Files.createTempFile("skein-bench", ".blocking");
        try {
            return new RandomAccessFile(file.toFile(), mode);
        } finally {
            Files.delete(file);
        }
    }

    final class ProcessPipe implements Call {
        private final Process silent = new ProcessBuilder("cat").start();

        ProcessPipe() throws IOException {}

        @Override
        public int make() throws IOException {
            return silent.getInputStream().read();
        }

        @Override
        public void close() {
            silent.destroyForcibly();
        }
    }

    final class ChannelForce implements Call {
        private final ByteBuffer bytes = ByteBuffer.allocateDirect(SMALL);
        private final FileChannel file = file(StandardOpenOption.WRITE);

        ChannelForce() throws IOException {}

        @Override
        public int make() throws IOException {
            int written = file.write(bytes.clear(), 0);
            file.force(true);
            return written;
        }
    }

    final class DescriptorSync implements Call {
        private final byte[] bytes = new byte[SMALL];
        private final RandomAccessFile file = randomAccess("rw");

        DescriptorSync() throws IOException {}

        @Override
        public int make() throws IOException {
            file.seek(0);
            file.write(bytes);
            file.getFD().sync();
            return SMALL;
        }
    }

    final class SynchronousWrite implements Call {
        private final byte[] bytes = new byte[SMALL];
        private final RandomAccessFile file = randomAccess("rws");

        SynchronousWrite() throws IOException {}

        @Override
        public int make() throws IOException {
            file.seek(0);
            file.write(bytes);
            return SMALL;
        }
    }

    final class DirectRead implements Call {
        private final ByteBuffer bytes =
                ByteBuffer.allocateDirect(LARGE + SMALL).alignedSlice(SMALL);
        private final FileChannel file;

        DirectRead() throws IOException {
            Path name = Files.createTempFile("skein-bench", ".blocking");
            try {
                Files.write(name, new byte[LARGE]);
                file = FileChannel.open(name, StandardOpenOption.READ, pastTheCache());
            } finally {
                Files.delete(name);
            }
        }

        /** Found by its name, because javac warns of its package. */
        private static OpenOption pastTheCache() {
            try {
                Class<?> options = Class.forName("com.sun.nio.file.ExtendedOpenOption");
                return (OpenOption) options.getField("DIRECT").get(null);
            } catch (ReflectiveOperationException unknown) {
                throw new UnsupportedOperationException("this JDK has no direct I/O", unknown);
            }
        }

        @Override
        public int make() throws IOException {
            return file.read(bytes.clear().limit(LARGE), 0);
        }
    }

    final class MappedForce implements Call {
        private final MappedByteBuffer bytes;
        private byte next;

        MappedForce() throws IOException {
            try (FileChannel file = file(StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                bytes = file.map(FileChannel.MapMode.READ_WRITE, 0, SMALL);
            }
        }

        @Override
        public int make() {
            bytes.put(0, next++);
            bytes.force();
            return SMALL;
        }
    }
}
