package io.skein.internal.loom;

import java.io.FileDescriptor;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.net.ProtocolFamily;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.channels.Channel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import org.jspecify.annotations.Nullable;

/**
 * The descriptors under the JDK's channels: which one a channel has, and channels for sockets of Unix that system calls made.
 *
 * <p>Any thread may call it. It needs {@code java.lang} opened to this module. {@link #available} says whether it is, and only
 * there may the rest be called; {@link #missing} says what is missing otherwise. A channel owns the descriptor that it was made
 * for, and closes it; one that could not be made leaves it to the caller.
 */
public final class ChannelDescriptors {
    private static final String PACKAGE = "sun.nio.ch";

    private record Handles(MethodHandle descriptor, MethodHandle listener, MethodHandle stream) {}

    private static final @Nullable Handles HANDLES = find();

    private ChannelDescriptors() {}

    public static boolean available() {
        return HANDLES != null;
    }

    /** What would make {@link #available} true: a command line flag, or another JDK. */
    public static String missing() {
        Module here = ChannelDescriptors.class.getModule();
        if (Object.class.getModule().isOpen("java.lang", here)) {
            return "a JDK whose channels Skein knows";
        }
        return "--add-opens=java.base/java.lang=" + (here.isNamed() ? here.getName() : "ALL-UNNAMED");
    }

    /** The descriptor of a socket's channel. It is the channel's as long as that is open. */
    public static int of(Channel channel) {
        try {
            return (int) handles().descriptor.invokeExact(channel);
        } catch (Throwable e) {
            throw failure(e);
        }
    }

    /** A channel for a socket of Unix that is bound and listens. The channel does not know its address. */
    public static ServerSocketChannel listener(int fd) throws IOException {
        try {
            return (ServerSocketChannel) handles().listener.invokeExact(fd);
        } catch (IOException e) {
            throw e;
        } catch (Throwable e) {
            throw failure(e);
        }
    }

    /** A channel for a socket of Unix that is connected to that address. */
    public static SocketChannel stream(int fd, SocketAddress remote) throws IOException {
        try {
            return (SocketChannel) handles().stream.invokeExact(fd, remote);
        } catch (IOException e) {
            throw e;
        } catch (Throwable e) {
            throw failure(e);
        }
    }

    private static Handles handles() {
        Handles found = HANDLES;
        if (found == null) {
            throw new IllegalStateException("no descriptors of channels without " + missing());
        }
        return found;
    }

    private static RuntimeException failure(Throwable thrown) {
        switch (thrown) {
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            default -> throw new AssertionError("a channel's descriptor failed", thrown);
        }
    }

    private static @Nullable Handles find() {
        try {
            JdkPackages.open(PACKAGE);
            Class<?> channels = Class.forName(PACKAGE + ".SelChImpl");
            return new Handles(
                    in(channels)
                            .findVirtual(channels, "getFDVal", MethodType.methodType(int.class))
                            .asType(MethodType.methodType(int.class, Channel.class)),
                    MethodHandles.insertArguments(constructor("ServerSocketChannelImpl", boolean.class), 1, true)
                            .asType(MethodType.methodType(ServerSocketChannel.class, int.class)),
                    constructor("SocketChannelImpl", SocketAddress.class)
                            .asType(MethodType.methodType(SocketChannel.class, int.class, SocketAddress.class)));
        } catch (ReflectiveOperationException e) { // not open to us, or a JDK that has them otherwise: then without
            return null;
        }
    }

    /** A constructor of channels of Unix that takes a descriptor's number and one argument more. */
    private static MethodHandle constructor(String name, Class<?> more) throws ReflectiveOperationException {
        Class<?> type = Class.forName(PACKAGE + "." + name);
        Class<?> descriptors = Class.forName(PACKAGE + ".IOUtil");
        MethodHandle descriptor = in(descriptors)
                .findStatic(descriptors, "newFD", MethodType.methodType(FileDescriptor.class, int.class));
        MethodHandle constructor = in(type).findConstructor(
                        type,
                        MethodType.methodType(
                                void.class, SelectorProvider.class, ProtocolFamily.class, FileDescriptor.class, more));
        MethodHandle ofUnix =
                MethodHandles.insertArguments(constructor, 0, SelectorProvider.provider(), StandardProtocolFamily.UNIX);
        return MethodHandles.filterArguments(ofUnix, 0, descriptor);
    }

    private static MethodHandles.Lookup in(Class<?> type) throws IllegalAccessException {
        return MethodHandles.privateLookupIn(type, MethodHandles.lookup());
    }
}
