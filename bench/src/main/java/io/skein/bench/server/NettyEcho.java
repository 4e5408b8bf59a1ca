package io.skein.bench.server;

import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/** Netty's own echo example: write what was read, flush when nothing more is there to read. */
@ChannelHandler.Sharable
final class NettyEcho extends ChannelInboundHandlerAdapter {
    private final Computing work;

    NettyEcho(Computing work) {
        this.work = work;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        work.run();
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
