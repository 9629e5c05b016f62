package dev.windrow.gather.http;

import java.util.UUID;
import java.util.regex.Pattern;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import io.quarkus.vertx.http.runtime.filters.Filters;

/** Every response has an id, the client's own if it sent one; the access log has it too. */
@Singleton
class RequestIds {

    static final String HEADER = "X-Request-Id";
    private static final Pattern TAKEN = Pattern.compile("[A-Za-z0-9._-]{1,64}");
    private static final int BEFORE_ALL_ELSE = 10_000;

    void register(@Observes Filters filters) {
        filters.register(request -> {
            String given = request.request().getHeader(HEADER);
            String id = given != null && TAKEN.matcher(given).matches() ? given : UUID.randomUUID().toString();
            request.response().putHeader(HEADER, id);
            request.next();
        }, BEFORE_ALL_ELSE);
    }
}
