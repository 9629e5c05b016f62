package dev.windrow.gather.http;

import dev.windrow.gather.api.problem.Problem;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.ReferenceCountUtil;

/**
 * Gives errors that have no body a problem document. The decoder and the framework refuse some requests (malformed,
 * too long) with a bare status before anything of the service is called; this sees their answers on the way out, and closes
 * the connection after them, as what follows may be no request.
 */
final class ErrorBodyHandler extends ChannelDuplexHandler {

    private static final int FIRST_ERROR = 400;

    private final ProblemResponses problems;
    private boolean head;

    ErrorBodyHandler(ProblemResponses problems) {
        this.problems = problems;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof HttpRequest request) {
            head = request.method().equals(HttpMethod.HEAD);
        }
        context.fireChannelRead(message);
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) throws Exception {
        if (message instanceof HttpResponse response && !response.protocolVersion().equals(HttpVersion.HTTP_1_0)) {
            // A malformed request may name an unknown version.
            response.setProtocolVersion(HttpVersion.HTTP_1_1);
        }
        boolean bare = message instanceof FullHttpResponse response && response.status().code() >= FIRST_ERROR
                && !response.content().isReadable() && !response.headers().contains(HttpHeaderNames.CONTENT_TYPE);
        if (!bare || head) {
            super.write(context, message, promise);
            return;
        }
        FullHttpResponse response = (FullHttpResponse) message;
        Problem problem = problems.problem(response.status().code());
        ByteBuf document = Unpooled.wrappedBuffer(problems.document(problem));
        FullHttpResponse answer = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1,
                HttpResponseStatus.valueOf(problem.status()), document);
        answer.headers().set(response.headers()).set(HttpHeaderNames.CONTENT_TYPE, Problem.MEDIA_TYPE)
                .set(HttpHeaderNames.CONTENT_LENGTH, document.readableBytes())
                .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        ReferenceCountUtil.release(message);
        super.write(context, answer, promise.unvoid().addListener(ChannelFutureListener.CLOSE));
    }
}
