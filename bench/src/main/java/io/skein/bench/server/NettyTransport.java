package io.skein.bench.server;

import io.netty.channel.Channel;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringDatagramChannel;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringIoHandlerConfig;
import io.netty.channel.uring.IoUringServerSocketChannel;
import org.jspecify.annotations.Nullable;

/** What Netty speaks to the kernel with. */
enum NettyTransport {
    IO_URING("io_uring"),
    EPOLL("epoll"),
    NIO("nio");

    /** Room for the requests of a turn, so that it is one submission. */
    private static final int RING_ENTRIES = 2048;

    /** Room for what 10 000 connections may have to tell at once. */
    private static final int COMPLETION_ENTRIES = 16_384;

    private final String label;

    NettyTransport(String label) {
        this.label = label;
    }

    String label() {
        return label;
    }

    void requireAvailable() {
        @Nullable
        Throwable cause = switch (this) {
            case IO_URING -> IoUring.unavailabilityCause();
            case EPOLL -> Epoll.unavailabilityCause();
            case NIO -> null;
        };
        if (cause != null) {
            throw new UnsupportedOperationException("Netty has no " + label + " here: " + cause, cause);
        }
    }

    IoHandlerFactory handlers() {
        return switch (this) {
            case IO_URING ->
                IoUringIoHandler.newFactory(
                        new IoUringIoHandlerConfig().setRingSize(RING_ENTRIES).setCqSize(COMPLETION_ENTRIES));
            case EPOLL -> EpollIoHandler.newFactory();
            case NIO -> NioIoHandler.newFactory();
        };
    }

    Class<? extends ServerChannel> listener() {
        return switch (this) {
            case IO_URING -> IoUringServerSocketChannel.class;
            case EPOLL -> EpollServerSocketChannel.class;
            case NIO -> NioServerSocketChannel.class;
        };
    }

    Class<? extends Channel> datagrams() {
        return switch (this) {
            case IO_URING -> IoUringDatagramChannel.class;
            case EPOLL -> EpollDatagramChannel.class;
            case NIO -> NioDatagramChannel.class;
        };
    }
}
