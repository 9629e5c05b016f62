package dev.windrow.http;

import io.netty.handler.codec.http.HttpHeaders;

/**
 * A complete response.
 *
 * @param status such as 200
 * @param headers by their names in any case
 */
public record HttpResponse(int status, HttpHeaders headers, byte[] body) {
}
