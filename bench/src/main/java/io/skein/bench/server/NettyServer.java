package io.skein.bench.server;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.util.Version;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/** Netty 4.2 on one event loop, with any of its transports. */
final class NettyServer implements Server {
    private final EventLoopGroup group;
    private final Channel listener;
    private final NettyTransport transport;
    private final int loops;

    private NettyServer(NettyTransport transport, Setting setting) throws IOException, InterruptedException {
        this.transport = transport;
        loops = setting.workers();
        group = new MultiThreadIoEventLoopGroup(loops, transport.handlers());
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        ChannelFuture bound = setting.service() == Service.DATAGRAMS
                ? datagrams(setting.bufferSize()).bind(address)
                : connections(setting).bind(address);
        listener = bound.sync().channel();
    }

    /** Throws an {@link UnsupportedOperationException} where Netty has no such transport. */
    static NettyServer start(NettyTransport transport, Setting setting) throws IOException, InterruptedException {
        transport.requireAvailable();
        return new NettyServer(transport, setting);
    }

    private ServerBootstrap connections(Setting setting) throws IOException {
        return new ServerBootstrap()
                .group(group)
                .channel(transport.listener())
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
                .childOption(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(setting.bufferSize()))
                .childHandler(handler(setting));
    }

    private static ChannelHandler handler(Setting setting) throws IOException {
        return switch (setting.service()) {
            case ECHO -> new NettyEcho(setting.work());
            case SOURCE -> new NettySource(setting.bufferSize());
            case TLS_ECHO -> new Encrypted();
            case HTTP -> new NettyHello();
            default -> throw new IllegalArgumentException("datagrams have no connections");
        };
    }

    private Bootstrap datagrams(int bufferSize) {
        return new Bootstrap()
                .group(group)
                .channel(transport.datagrams())
                .option(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
                .option(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(bufferSize))
                .handler(new NettyDatagramEcho());
    }

    @Override
    public int port() {
        return ((InetSocketAddress) listener.localAddress()).getPort();
    }

    @Override
    public String describe() {
        Version version = Version.identify().get("netty-transport");
        String number = version == null ? "of unknown version" : version.artifactVersion();
        String loopText = loops == 1 ? "one event loop" : loops + " event loops";
        return "Netty " + number + ", " + transport.label() + ", " + loopText;
    }

    @Override
    public void close() {
        listener.close().syncUninterruptibly();
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }

    /** Netty's handler around the JDK's engine: no native library of another kind takes part. */
    private static final class Encrypted extends ChannelInitializer<Channel> {
        private final SslContext context;

        Encrypted() throws IOException {
            context = SslContextBuilder.forServer(TlsIdentity.ofThisServer().keys())
                    .sslProvider(SslProvider.JDK)
                    .build();
        }

        @Override
        protected void initChannel(Channel channel) {
            channel.pipeline().addLast(context.newHandler(channel.alloc()), new NettyEcho(new Computing(0)));
        }
    }
}
