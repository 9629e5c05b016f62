package dev.windrow.aws;

import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;

/** A connection that carries one exchange at a time. Not thread-safe: belongs to its event loop. */
final class HttpConnection extends ChannelInboundHandlerAdapter {

    /** The name of Vert.x's own handler of a connection, which is the last. It only needs to see the connection's end. */
    private static final String VERTX_HANDLER = "handler";
    /** How long a connection may wait for a response that is no longer wanted. */
    private static final int ABANDONED_MILLIS = 100;
    private static final String SECOND_RESPONSE = "more than one response to a request";

    private final ConnectionPool pool;
    private final ChannelHandlerContext channel;
    private final ResponseDecoder decoder = new ResponseDecoder();
    private @Nullable HttpExchange exchange;
    private @Nullable ResponseAssembly assembly;
    private boolean complete;
    private boolean open = true;
    /** When it became idle; maintained by the pool. */
    long idleSince;

    private HttpConnection(ConnectionPool pool, ChannelHandlerContext channel) {
        this.pool = pool;
        this.channel = channel;
    }

    /** Makes a Vert.x connection speak HTTP. */
    static HttpConnection over(ChannelHandlerContext channel, ConnectionPool pool) {
        HttpConnection connection = new HttpConnection(pool, channel);
        ChannelPipeline pipeline = channel.pipeline();
        pipeline.addBefore(VERTX_HANDLER, "http-response-decoder", connection.decoder);
        pipeline.addBefore(VERTX_HANDLER, "http-connection", connection);
        return connection;
    }

    /** Allocates memory for a request. */
    ByteBufAllocator allocator() {
        return channel.alloc();
    }

    /** Sends the request of the current exchange. */
    void send(ByteBuf request) {
        // A write that fails closes the connection, or is reported to exceptionCaught.
        ChannelFuture unused = channel.writeAndFlush(request, channel.voidPromise());
    }

    /** Closes the connection, without notifying its exchange. */
    void close() {
        exchange = null;
        assembly = null;
        if (open) {
            open = false;
            ChannelFuture unused = channel.close();
            pool.closed(this);
        }
    }

    /**
     * Abandons an exchange whose response is no longer wanted. If the response arrives soon, as that of the slower of two equal
     * reads does, the connection is reused: a new one would cost a TLS handshake.
     */
    void abandon() {
        HttpExchange unwanted = new UnwantedExchange();
        exchange = unwanted;
        ScheduledFuture<?> unused = channel.executor().schedule(() -> {
            if (exchange == unwanted) {
                close();
            }
        }, ABANDONED_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** An exchange whose outcome nobody waits for. */
    private static final class UnwantedExchange implements HttpExchange {

        @Override
        public void connected(HttpConnection connection) {
        }

        @Override
        public void answered(HttpResponse response) {
        }

        @Override
        public void failed(Throwable failure) {
        }
    }

    void lend(HttpExchange borrower) {
        exchange = borrower;
        try {
            borrower.connected(this);
        } catch (RuntimeException | OutOfMemoryError e) {
            fail(new IOException("the request could not be written", e));
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        try {
            if (exchange == null) {
                // Unsolicited, such as the 408 of a server that closes an idle connection.
                close();
            } else if (complete) {
                fail(new IOException(SECOND_RESPONSE));
            } else {
                read(message);
            }
        } catch (IOException e) {
            fail(e);
        } finally {
            ReferenceCountUtil.release(message);
        }
    }

    private void read(Object message) throws IOException {
        if (message instanceof io.netty.handler.codec.http.HttpResponse head) {
            assembly = new ResponseAssembly(head);
        }
        ResponseAssembly response = assembly;
        if (message instanceof HttpContent content && response != null) {
            response.append(content);
            if (message instanceof LastHttpContent) {
                decoder.ended();
                complete = !response.isInformational();
            }
        }
    }

    /** Ends an exchange here, not at the last part: data that came with it would be taken for the next exchange's response. */
    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        HttpExchange answered = exchange;
        ResponseAssembly response = assembly;
        if (answered == null && decoder.hasBegun()) {
            close();
            return;
        }
        if (!complete || answered == null || response == null) {
            return;
        }
        if (decoder.hasBegun()) {
            fail(new IOException(SECOND_RESPONSE));
            return;
        }
        complete = false;
        exchange = null;
        assembly = null;
        if (response.isLast()) {
            close();
        } else {
            pool.release(this);
        }
        answered.answered(response.response());
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        fail(cause instanceof IOException io ? io : new IOException(cause.toString(), cause));
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        try {
            fail(new IOException("the connection was closed before the response was complete"));
        } finally {
            context.fireChannelInactive();
        }
    }

    private void fail(IOException failure) {
        HttpExchange failed = exchange;
        close();
        if (failed != null) {
            failed.failed(failure);
        }
    }

    static final class ResponseAssembly {

        /** Far more than the JSON of ten messages of 1 MiB, of an item in each of a hundred refusals, or of a page of 1 MB. */
        private static final int MAX_BYTES = 64 << 20;
        /** Maximum memory allocated for a response's declared length; the buffer grows for longer ones. */
        private static final int MAX_INITIAL_CAPACITY = 4 << 20;

        private final io.netty.handler.codec.http.HttpResponse head;
        private byte[] body;
        private int length;

        ResponseAssembly(io.netty.handler.codec.http.HttpResponse head) throws IOException {
            check(head);
            this.head = head;
            long declared = HttpUtil.getContentLength(head, 0L);
            this.body = new byte[(int) Math.max(0, Math.min(declared, MAX_INITIAL_CAPACITY))];
        }

        private static void check(HttpObject part) throws IOException {
            DecoderResult result = part.decoderResult();
            if (result.isFailure()) {
                throw new IOException("a response that is not HTTP: " + result.cause().getMessage(), result.cause());
            }
        }

        void append(HttpContent content) throws IOException {
            check(content);
            ByteBuf bytes = content.content();
            int size = bytes.readableBytes();
            if (size > MAX_BYTES - length) {
                throw new IOException("a response of more than " + MAX_BYTES + " bytes");
            }
            int longer = length + size;
            if (longer > body.length) {
                body = Arrays.copyOf(body, Math.max(longer, Math.min(2 * length, MAX_BYTES)));
            }
            bytes.readBytes(body, length, size);
            length = longer;
        }

        /** Whether it only precedes the actual response. */
        boolean isInformational() {
            // 101 is final, as no other protocol was requested.
            return head.status().codeClass() == HttpStatusClass.INFORMATIONAL
                    && !head.status().equals(HttpResponseStatus.SWITCHING_PROTOCOLS);
        }

        /** Whether the connection cannot be reused: the server closes it, possibly to mark the end of the response. */
        boolean isLast() {
            return !HttpUtil.isKeepAlive(head)
                    || (!HttpUtil.isContentLengthSet(head) && !HttpUtil.isTransferEncodingChunked(head));
        }

        HttpResponse response() {
            return new HttpResponse(head.status().code(), head.headers(),
                    length == body.length ? body : Arrays.copyOf(body, length));
        }
    }

    /** Netty's response decoder, which also knows whether it has read a part of a response. */
    static final class ResponseDecoder extends HttpResponseDecoder {

        /** The maximum number of bytes per read, so that a body is not split further. */
        private static final int MAX_CHUNK = 64 << 10;

        private boolean begun;

        ResponseDecoder() {
            super(new HttpDecoderConfig().setMaxChunkSize(MAX_CHUNK));
        }

        @Override
        protected HttpMessage createMessage(String[] initialLine) {
            begun = true;
            return super.createMessage(initialLine);
        }

        /** Notes that the response has been read completely. */
        void ended() {
            begun = false;
        }

        /** Whether bytes of an incomplete response have been read. */
        boolean hasBegun() {
            return begun || actualReadableBytes() > 0;
        }
    }
}
