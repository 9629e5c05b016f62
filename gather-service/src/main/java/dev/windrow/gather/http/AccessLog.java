package dev.windrow.gather.http;

import java.time.Clock;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import dev.windrow.base.LogKey;
import dev.windrow.base.StructuredLogger;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;

/** Logs a line for each request to the API when its answer has ended. Queries contain labels, so only paths are logged. */
@Singleton
class AccessLog {

    private static final StructuredLogger LOG = StructuredLogger.named("dev.windrow.gather.access");

    private static final String OBSERVATION = "/q/";

    /** After {@link RequestIds}, before {@link RequestGuard}, so that refused requests are logged as well. */
    private static final int SECOND = 9_500;

    private final Clock clock;

    AccessLog(Clock clock) {
        this.clock = clock;
    }

    void register(@Observes Filters filters) {
        filters.register(this::observe, SECOND);
    }

    private void observe(RoutingContext context) {
        String path = context.request().path();
        if (path == null || !path.startsWith(OBSERVATION)) {
            long start = clock.millis();
            context.addEndHandler(ended -> log(context, clock.millis() - start));
        }
        context.next();
    }

    private static void log(RoutingContext context, long millis) {
        HttpServerRequest request = context.request();
        LOG.info("request", LogKey.REMOTE.of(request.remoteAddress() == null ? "-" : request.remoteAddress().hostAddress()),
                LogKey.METHOD.of(request.method()), LogKey.PATH.of(request.path()),
                LogKey.STATUS.of(context.response().getStatusCode()), LogKey.BYTES.of(context.response().bytesWritten()),
                LogKey.DURATION_MS.of(millis), LogKey.REQUEST_ID.of(context.response().headers().get(RequestIds.HEADER)));
    }
}
