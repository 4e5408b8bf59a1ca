package io.skein.bench.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/** Writes full buffers for as long as the channel is writable, as Netty's guide on back pressure has it. */
@ChannelHandler.Sharable
final class NettySource extends ChannelInboundHandlerAdapter {
    private final ByteBuf full;

    NettySource(int bufferSize) {
        full = Unpooled.unreleasableBuffer(Unpooled.directBuffer(bufferSize).writeZero(bufferSize));
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        fill(context);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        fill(context);
    }

    private void fill(ChannelHandlerContext context) {
        while (context.channel().isActive() && context.channel().isWritable()) {
            ChannelFuture _ = context.writeAndFlush(full.duplicate(), context.voidPromise());
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        ChannelFuture _ = context.close();
    }
}
