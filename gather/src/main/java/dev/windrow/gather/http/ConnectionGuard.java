package dev.windrow.gather.http;

import java.util.Iterator;

import jakarta.enterprise.event.ObservesAsync;
import jakarta.inject.Singleton;

import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.channel.ServerChannel;
import io.netty.channel.SingleThreadEventLoop;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.EventExecutor;
import io.quarkus.vertx.http.HttpServerStart;
import io.quarkus.vertx.http.HttpsServerStart;
import io.vertx.core.Vertx;
import io.vertx.core.impl.VertxInternal;

/**
 * Closes an HTTP/1 connection after its first request with Transfer-Encoding, which the framework does not do: the bytes after
 * it may be a smuggled request (RFC 9112, section 6.3), so they are not read. Also closes a connection after any response with
 * {@code Connection: close}.
 */
final class ConnectionGuard extends ChannelDuplexHandler {

    /** Requests not yet responded to. */
    private int pending;
    private boolean last;
    private boolean reading = true;
    private boolean informational;

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (!reading) {
            ReferenceCountUtil.release(message);
            return;
        }
        if (message instanceof HttpRequest request) {
            pending++;
            last |= request.headers().contains(HttpHeaderNames.TRANSFER_ENCODING);
        }
        if (message instanceof LastHttpContent) {
            reading = !last;
        }
        context.fireChannelRead(message);
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) throws Exception {
        if (message instanceof HttpResponse response) {
            informational = response.status().codeClass() == HttpStatusClass.INFORMATIONAL;
            if (!response.protocolVersion().equals(HttpVersion.HTTP_1_0)) {
                // The framework copies the version from the request, which may name an unknown one.
                response.setProtocolVersion(HttpVersion.HTTP_1_1);
            }
            last |= response.headers().containsValue(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE, true);
        }
        ChannelPromise written = promise;
        if (message instanceof LastHttpContent && !informational && --pending <= 0 && last) {
            // Closes later on the event loop: if the write fails, its buffers are still in use now.
            written = promise.unvoid().addListener(ended -> context.executor().execute(() -> {
                var unused = context.close();
            }));
        }
        super.write(context, message, written);
    }

    /**
     * Adds a {@link ConnectionGuard} to the pipeline of each HTTP/1 connection. Vert.x has no hook for that, so the listening
     * sockets get a handler that sees connections as they are accepted.
     */
    @Singleton
    static class Installer {

        private static final String NAME = "connectionGuard";

        /** The names of Vert.x's own handlers. */
        private static final String ENCODER = "httpEncoder";
        private static final String CONNECTION = "handler";

        private final VertxInternal vertx;

        Installer(Vertx vertx) {
            this.vertx = (VertxInternal) vertx;
        }

        void http(@ObservesAsync HttpServerStart started) {
            install();
        }

        void https(@ObservesAsync HttpsServerStart started) {
            install();
        }

        private void install() {
            for (EventExecutor acceptor : vertx.getAcceptorEventLoopGroup()) {
                // Only an event loop itself may access its channels.
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
        private static final class Accepted extends ChannelInboundHandlerAdapter {

            @Override
            public void channelRead(ChannelHandlerContext context, Object accepted) {
                ((Channel) accepted).pipeline().addLast(new FirstBytes(false));
                context.fireChannelRead(accepted);
            }
        }

        /** Waits until the connection's pipeline is complete: at the first bytes of plain text. */
        private static final class FirstBytes extends ChannelInboundHandlerAdapter {

            private final boolean decrypted;

            FirstBytes(boolean decrypted) {
                this.decrypted = decrypted;
            }

            @Override
            public void channelRead(ChannelHandlerContext context, Object bytes) {
                ChannelPipeline pipeline = context.pipeline();
                ChannelHandlerContext tls = decrypted ? null : pipeline.context(SslHandler.class);
                if (tls != null) {
                    // The end of the handshake and the first request may arrive together.
                    pipeline.addAfter(tls.name(), null, new FirstBytes(true));
                    pipeline.remove(this);
                    context.fireChannelRead(bytes);
                    return;
                }
                boolean complete = pipeline.get(ENCODER) != null && pipeline.get(CONNECTION) != null;
                if (complete) {
                    pipeline.addBefore(CONNECTION, NAME, new ConnectionGuard());
                }
                context.fireChannelRead(bytes);
                if (complete) {
                    pipeline.remove(this);
                }
            }
        }
    }
}
