package dev.windrow.http;

import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpResponseDecoder;

/** Netty's decoder of responses, which also knows whether it has seen a part of one. */
final class ResponseDecoder extends HttpResponseDecoder {

    /** As many bytes as a read yields at most, so that a body is not cut further. */
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

    /** Takes note that the response has been read to its end. */
    void ended() {
        begun = false;
    }

    /** Whether bytes have been read that belong to a response whose end has not. */
    boolean hasBegun() {
        return begun || actualReadableBytes() > 0;
    }
}
