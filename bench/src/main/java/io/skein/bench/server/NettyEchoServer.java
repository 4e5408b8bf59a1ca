package io.skein.bench.server;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringIoHandlerConfig;
import io.netty.channel.uring.IoUringServerSocketChannel;
import io.netty.util.Version;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Netty 4.2 on one event loop, with either of its Linux transports. */
final class NettyEchoServer implements EchoServer {
    /** Room for the requests of 1000 connections at once, so that a turn of the loop is one submission. */
    private static final int RING_ENTRIES = 2048;

    private final EventLoopGroup group;
    private final Channel listener;
    private final String transport;

    private NettyEchoServer(
            String transport, IoHandlerFactory handlers, Class<? extends ServerChannel> channel, int bufferSize)
            throws InterruptedException {
        this.transport = transport;
        group = new MultiThreadIoEventLoopGroup(1, handlers);
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(group)
                .channel(channel)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
                .childOption(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(bufferSize))
                .childHandler(new Echo());
        ChannelFuture bound = bootstrap.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        listener = bound.sync().channel();
    }

    static NettyEchoServer onIoUring(int bufferSize) throws InterruptedException {
        requireAvailable("io_uring", IoUring.unavailabilityCause());
        IoUringIoHandlerConfig config = new IoUringIoHandlerConfig().setRingSize(RING_ENTRIES);
        return new NettyEchoServer(
                "io_uring", IoUringIoHandler.newFactory(config), IoUringServerSocketChannel.class, bufferSize);
    }

    static NettyEchoServer onEpoll(int bufferSize) throws InterruptedException {
        requireAvailable("epoll", Epoll.unavailabilityCause());
        return new NettyEchoServer("epoll", EpollIoHandler.newFactory(), EpollServerSocketChannel.class, bufferSize);
    }

    private static void requireAvailable(String transport, @Nullable Throwable cause) {
        if (cause != null) {
            throw new UnsupportedOperationException("Netty has no " + transport + " here: " + cause, cause);
        }
    }

    @Override
    public int port() {
        return ((InetSocketAddress) listener.localAddress()).getPort();
    }

    @Override
    public String describe() {
        Version version = Version.identify().get("netty-transport");
        String number = version == null ? "of unknown version" : version.artifactVersion();
        return "Netty " + number + ", " + transport + ", one event loop";
    }

    @Override
    public void close() {
        listener.close().syncUninterruptibly();
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }

    /** Netty's own echo example: write what was read, flush when nothing more is there to read. */
    @ChannelHandler.Sharable
    private static final class Echo extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ChannelFuture _ = context.write(message, context.voidPromise());
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            context.flush();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            ChannelFuture _ = context.close();
        }
    }
}
