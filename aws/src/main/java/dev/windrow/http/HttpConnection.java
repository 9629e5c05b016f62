package dev.windrow.http;

import java.io.IOException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;

/** A connection, which carries one exchange at a time. Not thread-safe: belongs to its event loop. */
public final class HttpConnection extends ChannelInboundHandlerAdapter {

    /** The name of Vert.x's own handler of a connection, which is the last. All it has to see is the connection's end. */
    private static final String VERTX_HANDLER = "handler";
    /** How long a connection may wait for a response that is not wanted any more. */
    private static final int ABANDONED_MILLIS = 100;
    private static final String SECOND_RESPONSE = "more than one response to a request";

    private final ConnectionPool pool;
    private final ChannelHandlerContext channel;
    private final ResponseDecoder decoder = new ResponseDecoder();
    private @Nullable HttpExchange exchange;
    private @Nullable ResponseAssembly assembly;
    private boolean complete;
    private boolean open = true;
    private long idleSince;

    private HttpConnection(ConnectionPool pool, ChannelHandlerContext channel) {
        this.pool = pool;
        this.channel = channel;
    }

    /** Makes a connection of Vert.x speak HTTP. */
    static HttpConnection over(ChannelHandlerContext channel, ConnectionPool pool) {
        HttpConnection connection = new HttpConnection(pool, channel);
        ChannelPipeline pipeline = channel.pipeline();
        pipeline.addBefore(VERTX_HANDLER, "http-response-decoder", connection.decoder);
        pipeline.addBefore(VERTX_HANDLER, "http-connection", connection);
        return connection;
    }

    /** Allocates memory for a request. */
    public ByteBufAllocator allocator() {
        return channel.alloc();
    }

    /** Sends the request of the exchange that has the connection. */
    public void send(ByteBuf request) {
        // A write that fails closes the connection, or is reported to exceptionCaught.
        ChannelFuture unused = channel.writeAndFlush(request, channel.voidPromise());
    }

    /** Closes the connection. The exchange that has it hears nothing more. */
    public void close() {
        exchange = null;
        assembly = null;
        if (open) {
            open = false;
            ChannelFuture unused = channel.close();
            pool.closed(this);
        }
    }

    /**
     * Lets go of an exchange whose response is not wanted any more. If it comes soon, as that of the slower of two equal reads
     * does, the connection is used again: another one costs a TLS handshake.
     */
    public void abandon() {
        HttpExchange unwanted = new UnwantedExchange();
        exchange = unwanted;
        ScheduledFuture<?> unused = channel.executor().schedule(() -> {
            if (exchange == unwanted) {
                close();
            }
        }, ABANDONED_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Has nobody who waits for its outcome. */
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

    /** When it became idle; the pool's to keep. */
    long idleSince() {
        return idleSince;
    }

    void idleSince(long nanos) {
        idleSince = nanos;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        try {
            if (exchange == null) {
                // Nobody asked, as with the 408 of a server that closes an idle connection.
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

    /** Ends an exchange here, not at the last part: what came with it would be taken for the next exchange's response. */
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
}
