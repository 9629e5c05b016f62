package dev.windrow.http;

import java.io.IOException;
import java.util.Arrays;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpUtil;

/** Puts a response together from its parts. */
final class ResponseAssembly {

    /** Far more than ten messages of 1 MiB, an item in each of a hundred refusals, or a page of 1 MB can be as JSON. */
    private static final int MAX_BYTES = 64 << 20;
    /** Memory that is set aside because a response says that it is so long; what is longer makes it grow. */
    private static final int MAX_INITIAL_CAPACITY = 4 << 20;

    private final io.netty.handler.codec.http.HttpResponse head;
    private byte[] body;
    private int length;

    ResponseAssembly(io.netty.handler.codec.http.HttpResponse head) throws IOException {
        check(head);
        this.head = head;
        this.body = new byte[expected(head.headers())];
    }

    private static void check(HttpObject part) throws IOException {
        DecoderResult result = part.decoderResult();
        if (result.isFailure()) {
            throw new IOException("a response that is not HTTP: " + result.cause().getMessage(), result.cause());
        }
    }

    private static int expected(HttpHeaders headers) {
        String declared = headers.get(HttpHeaderNames.CONTENT_LENGTH);
        try {
            return declared == null ? 0 : Math.max(0, Math.min(Integer.parseInt(declared), MAX_INITIAL_CAPACITY));
        } catch (NumberFormatException e) {
            return 0;
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

    /** Whether another response follows, the one to the request. */
    boolean isInformational() {
        // No other protocol was asked for: 101 is the end.
        return head.status().codeClass() == HttpStatusClass.INFORMATIONAL
                && !head.status().equals(HttpResponseStatus.SWITCHING_PROTOCOLS);
    }

    /** Whether the connection carries no further exchange: the server closes it, or ends the response by doing so. */
    boolean isLast() {
        return !HttpUtil.isKeepAlive(head)
                || (!HttpUtil.isContentLengthSet(head) && !HttpUtil.isTransferEncodingChunked(head));
    }

    HttpResponse response() {
        return new HttpResponse(head.status().code(), head.headers(),
                length == body.length ? body : Arrays.copyOf(body, length));
    }
}
