package dev.windrow.writer.operate;

import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntFunction;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.HostNames;
import dev.windrow.base.Reason;
import dev.windrow.writer.WriterService;
import dev.windrow.writer.WriterState;
import dev.windrow.writer.queue.DeadLetterStream;
import dev.windrow.writer.queue.ReplayResult;
import io.quarkus.vertx.http.ManagementInterface;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;

/**
 * HTTP operations for operators: pause, resume, and list and replay dead letters. Served only on the management port, and only
 * if enabled.
 */
@ApplicationScoped
public class OperationRoutes {

    private static final int MAX_LETTERS = 1_000;
    private static final int DEFAULT_LETTERS = 100;
    private static final HostNames HOSTS = new HostNames(List.of());

    private final ManagementConfig config;
    private final WriterService writer;
    private final WriterState state;
    private final AtomicBoolean busy = new AtomicBoolean();

    OperationRoutes(ManagementConfig config, WriterService writer, WriterState state) {
        this.config = config;
        this.writer = writer;
        this.state = state;
    }

    void add(@Observes ManagementInterface management) {
        if (!config.enabled()) {
            return;
        }
        Router router = management.router();
        router.route("/manage/*").handler(OperationRoutes::refusePages);
        router.get("/manage/state").handler(context -> answer(context, state()));
        router.post("/manage/pause").handler(context -> pause(context, true));
        router.post("/manage/resume").handler(context -> pause(context, false));
        router.get("/manage/dead-letters").handler(context -> withLimit(context, limit -> {
            DeadLetterStream list = new DeadLetterStream(context.response());
            return writer.deadLetters().list(limit, list::write).chain(list::end);
        }));
        router.post("/manage/dead-letters/replay").handler(context -> withLimit(context,
                limit -> writer.replayDeadLetters(limit, "true".equals(context.request().getParam("force")))
                        .invoke(replay -> answer(context, replayed(replay)))
                        .replaceWithVoid()));
    }

    /**
     * Refuses requests of web pages, which a browser sends to a forwarded port as well: no credential protects the operations.
     * The host shows a page whose own name leads to this address (DNS rebinding).
     */
    private static void refusePages(RoutingContext context) {
        HttpServerRequest request = context.request();
        // The framework allows any origin on the management port.
        context.addHeadersEndHandler(end -> context.response().headers().remove(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN));
        String site = request.getHeader("Sec-Fetch-Site");
        if (request.headers().contains(HttpHeaders.ORIGIN) || (site != null && !site.equals("none"))) {
            problem(context, 403, Reason.FORBIDDEN, "web pages may not use the operations; call them without a browser");
        } else if (!request.headers().getAll(HttpHeaders.HOST).stream().allMatch(HOSTS::isAllowed)) {
            problem(context, 403, Reason.FORBIDDEN, "Host: use an IP address or a private name such as localhost");
        } else {
            context.next();
        }
    }

    private JsonObject state() {
        return new JsonObject().put("phase", state.phase().name().toLowerCase(Locale.ROOT)).put("paused", state.isPaused());
    }

    private void pause(RoutingContext context, boolean paused) {
        writer.pause(paused);
        answer(context, state());
    }

    /** Runs one dead-letter operation at a time, as each hides letters from others for a while. */
    private void withLimit(RoutingContext context, IntFunction<Uni<Void>> operation) {
        Integer limit = limit(context.request().getParam("limit"));
        if (limit == null) {
            problem(context, 400, Reason.INVALID_PARAMETER, "limit: expected a whole number from 1 to " + MAX_LETTERS);
            return;
        }
        if (!busy.compareAndSet(false, true)) {
            problem(context, 503, Reason.OVERLOADED, "another dead-letter operation is running; try again when it has ended");
            return;
        }
        Uni.createFrom().deferred(() -> operation.apply(limit)).onTermination().invoke(() -> busy.set(false))
                .subscribe().with(done -> {
                }, failure -> failed(context, failure));
    }

    private static void failed(RoutingContext context, Throwable failure) {
        if (context.response().headWritten()) {
            // Cuts the response off, so that no client takes it for complete.
            context.request().connection().close();
        } else {
            problem(context, 503, Reason.UNAVAILABLE, String.valueOf(failure.getMessage()));
        }
    }

    private static @Nullable Integer limit(@Nullable String text) {
        if (text == null) {
            return DEFAULT_LETTERS;
        }
        try {
            int limit = Integer.parseInt(text);
            return limit >= 1 && limit <= MAX_LETTERS ? limit : null;
        } catch (NumberFormatException e) {
            return null;
        }
    }

    private static JsonObject replayed(ReplayResult replay) {
        JsonArray left = new JsonArray();
        replay.leftLetters().forEach(letter -> left.add(new JsonObject().put("id", letter.id())
                .put("reason", letter.reason().word()).put("detail", letter.detail())));
        return new JsonObject().put("replayed", replay.sentCount()).put("left", replay.leftCount()).put("letters", left);
    }

    private static void answer(RoutingContext context, JsonObject body) {
        context.response().putHeader("content-type", "application/json").end(body.encode());
    }

    private static void problem(RoutingContext context, int status, Reason reason, String detail) {
        context.response().setStatusCode(status).putHeader("content-type", "application/problem+json")
                .end(new JsonObject().put("type", "urn:windrow:problem:" + reason.word()).put("title", reason.meaning())
                        .put("status", status).put("detail", detail).encode());
    }

    /** Settings of the operations on the management port. */
    @ConfigMapping(prefix = "windrow.writer.management")
    public interface ManagementConfig {

        /**
         * Whether the management port serves pause, resume, and listing and replaying dead letters. Health and metrics are
         * served either way. These operations need no credential.
         */
        @WithDefault("false")
        boolean enabled();
    }
}
