package dev.windrow.bench.server;

import java.io.IOException;
import java.net.URI;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;

/**
 * Serves AWS's JSON protocol over HTTP/1.1, with persistent connections, on loopback and a free port.
 * One event loop handles all requests of a server, so handlers need no locks.
 */
record AwsJsonServer(HttpServer server) implements AutoCloseable {

    interface Handler {
        Future<Reply> answer(String operation, Buffer body) throws IOException;
    }

    static AwsJsonServer start(Vertx vertx, String errorPrefix, Handler handler) {
        HttpServer http = vertx.createHttpServer(new HttpServerOptions().setHost("127.0.0.1").setPort(0).setTcpNoDelay(true));
        http.requestHandler(request -> request.body().compose(body -> answer(handler, errorPrefix, request, body))
                .onComplete(answered -> send(request, answered.succeeded() ? answered.result()
                        : Reply.error(errorPrefix + "InternalServerError", String.valueOf(answered.cause())))));
        return new AwsJsonServer(http.listen().toCompletionStage().toCompletableFuture().join());
    }

    private static Future<Reply> answer(Handler handler, String errorPrefix, HttpServerRequest request, Buffer body) {
        String target = String.valueOf(request.getHeader("X-Amz-Target"));
        try {
            return handler.answer(target.substring(target.indexOf('.') + 1), body);
        } catch (IOException | IllegalArgumentException e) {
            return Future.succeededFuture(Reply.error(errorPrefix + "ValidationException", String.valueOf(e.getMessage())));
        }
    }

    private static void send(HttpServerRequest request, Reply reply) {
        if (!request.response().closed()) {
            request.response().setStatusCode(reply.status())
                    .putHeader("Content-Type", "application/x-amz-json-1.0")
                    .end(reply.body());
        }
    }

    URI endpoint() {
        return URI.create("http://127.0.0.1:" + server.actualPort());
    }

    @Override
    public void close() {
        server.close().toCompletionStage().toCompletableFuture().join();
    }

}
