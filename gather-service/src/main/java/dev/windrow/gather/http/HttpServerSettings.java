package dev.windrow.gather.http;

import jakarta.inject.Singleton;

import io.quarkus.vertx.http.HttpServerOptionsCustomizer;
import io.vertx.core.http.HttpServerOptions;

/** Settings of the HTTP server that Quarkus has no properties for. */
@Singleton
class HttpServerSettings implements HttpServerOptionsCustomizer {

    /**
     * HTTP/2 over TLS only: an upgrade of a connection in clear text would let a client speak past a proxy that checks
     * paths.
     */
    @Override
    public void customizeHttpServer(HttpServerOptions options) {
        options.setHttp2ClearTextEnabled(false);
    }
}
