package dev.windrow.gather.http;

import java.util.Iterator;

import jakarta.enterprise.event.ObservesAsync;
import jakarta.inject.Singleton;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ServerChannel;
import io.netty.channel.SingleThreadEventLoop;
import io.netty.util.concurrent.EventExecutor;
import io.quarkus.vertx.http.HttpServerStart;
import io.quarkus.vertx.http.HttpsServerStart;
import io.vertx.core.Vertx;
import io.vertx.core.impl.VertxInternal;

/**
 * Puts {@link ConnectionGuard} into the pipeline of each connection that speaks HTTP/1: into the listening sockets' pipelines
 * goes a handler that sees connections as they are accepted, as Vert.x has no place for one.
 */
@Singleton
class ConnectionGuards {

    private static final String NAME = "connectionGuard";

    /** Vert.x's names of its own handlers. */
    private static final String ENCODER = "httpEncoder";
    private static final String CONNECTION = "handler";

    private final VertxInternal vertx;
    private final ProblemResponses problems;

    ConnectionGuards(Vertx vertx, ProblemResponses problems) {
        this.vertx = (VertxInternal) vertx;
        this.problems = problems;
    }

    void http(@ObservesAsync HttpServerStart started) {
        install();
    }

    void https(@ObservesAsync HttpsServerStart started) {
        install();
    }

    private void install() {
        for (EventExecutor acceptor : vertx.getAcceptorEventLoopGroup()) {
            // Only an event loop itself may look at its channels.
            acceptor.execute(() -> install((SingleThreadEventLoop) acceptor));
        }
    }

    private void install(SingleThreadEventLoop acceptor) {
        for (Iterator<Channel> channels = acceptor.registeredChannelsIterator(); channels.hasNext();) {
            Channel channel = channels.next();
            if (channel instanceof ServerChannel && channel.pipeline().get(NAME) == null) {
                channel.pipeline().addFirst(NAME, new Accepted());
            }
        }
    }

    /** Sees each connection of a listening socket before Vert.x does. */
    @ChannelHandler.Sharable
    private final class Accepted extends ChannelInboundHandlerAdapter {

        @Override
        public void channelRead(ChannelHandlerContext context, Object accepted) {
            ((Channel) accepted).pipeline().addLast(new FirstBytes());
            context.fireChannelRead(accepted);
        }
    }

    /** Waits until the connection's pipeline is complete: at the first bytes, or where a TLS handshake has ended. */
    private final class FirstBytes extends ChannelInboundHandlerAdapter {

        @Override
        public void channelRead(ChannelHandlerContext context, Object bytes) {
            ChannelPipeline pipeline = context.pipeline();
            boolean complete = pipeline.get(ENCODER) != null && pipeline.get(CONNECTION) != null;
            if (complete) {
                pipeline.addBefore(CONNECTION, NAME, new ConnectionGuard(problems));
            }
            context.fireChannelRead(bytes);
            if (complete) {
                pipeline.remove(this);
            }
        }
    }
}
