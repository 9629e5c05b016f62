package dev.windrow.aws;

import io.netty.handler.codec.http.HttpHeaders;

/**
 * A complete response.
 *
 * @param headers by name, ignoring case
 */
record HttpResponse(int status, HttpHeaders headers, byte[] body) {
}
