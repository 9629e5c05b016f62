package dev.windrow.gather.http;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import dev.windrow.base.LogKey;
import dev.windrow.base.Reason;
import dev.windrow.base.StructuredLogger;
import dev.windrow.gather.api.problem.Problem;
import dev.windrow.gather.api.problem.Problems;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;

/** Makes a problem document of every failure outside the resources: of the router, its filters and static files. */
@Singleton
class FailureHandler {

    private static final StructuredLogger LOG = StructuredLogger.of(FailureHandler.class);

    /** Before the handlers of the framework, which answer with HTML, with a stack trace or with nothing. */
    private static final int FIRST = -100_000;

    private final ProblemResponses problems;

    FailureHandler(ProblemResponses problems) {
        this.problems = problems;
    }

    void add(@Observes Router router) {
        router.route().order(FIRST).failureHandler(this::answer);
    }

    private void answer(RoutingContext context) {
        int status = context.statusCode();
        Reason reason = Problem.reason(status);
        if (reason == Reason.INTERNAL) {
            LOG.error(context.failure(), "request failed", LogKey.REASON.of(reason.word()), LogKey.STATUS.of(status),
                    LogKey.PATH.of(context.request().path()));
        }
        problems.send(context, reason, reason == Reason.BAD_REQUEST
                ? "expected a request of HTTP/1.0, 1.1 or 2 with a valid Host"
                : Problems.advice(reason), null);
    }
}
