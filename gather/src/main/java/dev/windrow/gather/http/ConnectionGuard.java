package dev.windrow.gather.http;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;

import jakarta.enterprise.event.ObservesAsync;
import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.channel.ServerChannel;
import io.netty.channel.SingleThreadEventLoop;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.EventExecutor;
import io.quarkus.vertx.http.HttpServerStart;
import io.quarkus.vertx.http.HttpsServerStart;
import io.vertx.core.Vertx;
import io.vertx.core.impl.VertxInternal;

/**
 * Sees what one connection of HTTP/1 receives and sends, for what the framework leaves undone.
 * <ul>
 * <li>A request with Transfer-Encoding is the last: what follows may have been smuggled in behind it (RFC 9112, section 6.3).
 * It is not read, and the connection is closed after the response, as after any that says so.
 * <li>The decoder and the framework refuse some requests (malformed, too long) with a bare status before anything of the
 * service is called. They get a problem document, and the connection is closed, as what follows may be no request.
 * </ul>
 */
final class ConnectionGuard extends ChannelDuplexHandler {

    private static final int FIRST_ERROR = 400;
    /** What the decoder gives a request whose first line it could not read. */
    private static final String UNREADABLE = "/bad-request";

    private final ProblemResponses problems;
    /** Requests without a response. Few, as the framework does not read on while one is under way. */
    private final Deque<Asked> asked = new ArrayDeque<>();
    private boolean reading = true;
    private boolean closing;
    private boolean informational;

    /** @param path null if it is not known */
    private record Asked(boolean head, boolean last, @Nullable String path) {

        static Asked of(HttpRequest request) {
            String uri = request.uri();
            boolean known = uri.startsWith("/") && !(request.decoderResult().isFailure() && uri.equals(UNREADABLE));
            return new Asked(request.method().equals(HttpMethod.HEAD),
                    request.headers().contains(HttpHeaderNames.TRANSFER_ENCODING),
                    known ? uri.replaceFirst("\\?.*", "") : null);
        }
    }

    ConnectionGuard(ProblemResponses problems) {
        this.problems = problems;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (!reading) {
            ReferenceCountUtil.release(message);
            return;
        }
        if (message instanceof HttpRequest request) {
            asked.add(Asked.of(request));
        }
        if (message instanceof LastHttpContent) {
            Asked latest = asked.peekLast();
            reading = latest == null || !latest.last();
        }
        context.fireChannelRead(message);
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) throws Exception {
        Asked answered = asked.peek();
        if (message instanceof HttpResponse response) {
            informational = response.status().codeClass() == HttpStatusClass.INFORMATIONAL;
            closing |= response.headers().containsValue(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE, true)
                    || (answered != null && answered.last());
            if (!response.protocolVersion().equals(HttpVersion.HTTP_1_0)) {
                // A malformed request may name an unknown version.
                response.setProtocolVersion(HttpVersion.HTTP_1_1);
            }
        }
        Object sent = message;
        if (message instanceof FullHttpResponse response && isBareError(response) && (answered == null || !answered.head())) {
            sent = withProblem(response, answered == null ? null : answered.path());
            closing = true;
        }
        if (message instanceof LastHttpContent && !informational) {
            asked.poll();
            super.write(context, sent, closing ? promise.unvoid().addListener(ChannelFutureListener.CLOSE) : promise);
        } else {
            super.write(context, sent, promise);
        }
    }

    private static boolean isBareError(FullHttpResponse response) {
        return response.status().code() >= FIRST_ERROR && !response.content().isReadable()
                && !response.headers().contains(HttpHeaderNames.CONTENT_TYPE);
    }

    private FullHttpResponse withProblem(FullHttpResponse response, @Nullable String path) {
        Problem problem = problems.problem(response.status().code(), path);
        ByteBuf document = Unpooled.wrappedBuffer(problems.document(problem));
        FullHttpResponse answer = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1,
                HttpResponseStatus.valueOf(problem.status()), document);
        answer.headers().set(response.headers()).set(HttpHeaderNames.CONTENT_TYPE, Problem.MEDIA_TYPE)
                .set(HttpHeaderNames.CONTENT_LENGTH, document.readableBytes())
                .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        ReferenceCountUtil.release(response);
        return answer;
    }

    /**
     * Puts {@link ConnectionGuard} into the pipeline of each connection that speaks HTTP/1: into the listening sockets'
     * pipelines
     * goes a handler that sees connections as they are accepted, as Vert.x has no place for one.
     */
    @Singleton
    static class Installer {

        private static final String NAME = "connectionGuard";

        /** Vert.x's names of its own handlers. */
        private static final String ENCODER = "httpEncoder";
        private static final String CONNECTION = "handler";

        private final VertxInternal vertx;
        private final ProblemResponses problems;

        Installer(Vertx vertx, ProblemResponses problems) {
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
}
