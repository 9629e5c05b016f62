package dev.windrow.writer.manage;

import java.util.List;
import java.util.TreeMap;
import java.util.function.IntFunction;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;

import org.jspecify.annotations.Nullable;

import dev.windrow.reason.Reason;
import dev.windrow.writer.deadletter.DeadLetterQueue.Letter;
import dev.windrow.writer.lifecycle.WriterService;
import io.quarkus.vertx.http.ManagementInterface;
import io.smallrye.mutiny.Uni;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;

/**
 * Operations for operators, on the management port only and only where they are enabled: pause, resume, and what to do
 * with dead letters.
 */
@ApplicationScoped
class OperationRoutes {

    private static final int MOST_LETTERS = 1_000;
    private static final int DEFAULT_LETTERS = 100;

    private final ManageConfig config;
    private final WriterService writer;

    OperationRoutes(ManageConfig config, WriterService writer) {
        this.config = config;
        this.writer = writer;
    }

    void add(@Observes ManagementInterface management) {
        if (!config.enabled()) {
            return;
        }
        Router router = management.router();
        router.get("/manage/state").handler(context -> answer(context, state()));
        router.post("/manage/pause").handler(context -> pause(context, true));
        router.post("/manage/resume").handler(context -> pause(context, false));
        router.get("/manage/dead-letters").handler(context -> withLimit(context,
                limit -> writer.deadLetters().list(limit).map(OperationRoutes::letters)));
        router.post("/manage/dead-letters/replay").handler(context -> withLimit(context,
                limit -> writer.replayDeadLetters(limit).map(count -> new JsonObject().put("replayed", count))));
    }

    private JsonObject state() {
        return new JsonObject().put("phase", writer.phase()).put("paused", writer.isPaused());
    }

    private void pause(RoutingContext context, boolean paused) {
        writer.pause(paused);
        answer(context, state());
    }

    private static void withLimit(RoutingContext context, IntFunction<Uni<JsonObject>> operation) {
        Integer limit = limit(context.request().getParam("limit"));
        if (limit == null) {
            problem(context, 400, Reason.INVALID_PARAMETER, "limit: expected a whole number from 1 to " + MOST_LETTERS);
            return;
        }
        Uni.createFrom().deferred(() -> operation.apply(limit)).subscribe().with(result -> answer(context, result),
                failure -> problem(context, 503, Reason.UNAVAILABLE, String.valueOf(failure.getMessage())));
    }

    private static @Nullable Integer limit(@Nullable String text) {
        if (text == null) {
            return DEFAULT_LETTERS;
        }
        try {
            int limit = Integer.parseInt(text);
            return limit >= 1 && limit <= MOST_LETTERS ? limit : null;
        } catch (NumberFormatException e) {
            return null;
        }
    }

    private static JsonObject letters(List<Letter> letters) {
        JsonArray items = new JsonArray();
        letters.forEach(letter -> items.add(new JsonObject().put("id", letter.id()).put("sent", letter.sent().toString())
                .put("attributes", new JsonObject(new TreeMap<>(letter.attributes())))
                .put("body", letter.body())));
        return new JsonObject().put("items", items);
    }

    private static void answer(RoutingContext context, JsonObject body) {
        context.response().putHeader("content-type", "application/json").end(body.encode());
    }

    private static void problem(RoutingContext context, int status, Reason reason, String detail) {
        context.response().setStatusCode(status).putHeader("content-type", "application/problem+json")
                .end(new JsonObject().put("type", "urn:windrow:problem:" + reason.word()).put("title", reason.meaning())
                        .put("status", status).put("detail", detail).encode());
    }
}
