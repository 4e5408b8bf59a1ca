package io.skein.bench.server;

import static io.netty.handler.codec.http.HttpHeaderNames.CONTENT_LENGTH;
import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;

/** Netty's codec for HTTP, and a handler that answers each whole request alike; as Netty's own hello-world example does. */
final class NettyHello extends ChannelInitializer<Channel> {
    private static final ByteBuf HELLO = Unpooled.unreleasableBuffer(
            Unpooled.directBuffer().writeBytes(Service.HELLO.getBytes(US_ASCII)).asReadOnly());

    @Override
    protected void initChannel(Channel channel) {
        channel.pipeline().addLast(new HttpServerCodec(), new Answering());
    }

    private static final class Answering extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            try {
                if (message instanceof LastHttpContent) {
                    DefaultFullHttpResponse response =
                            new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, HELLO.duplicate());
                    response.headers().setInt(CONTENT_LENGTH, HELLO.readableBytes());
                    ChannelFuture _ = context.write(response, context.voidPromise());
                }
            } finally {
                ReferenceCountUtil.release(message);
            }
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
