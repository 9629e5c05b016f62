package dev.windrow.gather.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;

import dev.windrow.gather.http.RawHttp;
import dev.windrow.gather.http.RawHttp.Answer;
import dev.windrow.gather.parameter.QueryKind;
import dev.windrow.testing.GeneratedCases;

/** Paths that the check of credentials might take for open ones, but the router for protected ones. */
final class HostilePaths {

    private static final List<String> OPEN = List.of("/api/v1/problems", "/q/swagger-ui");

    private static final List<String> UP = List.of("..", "%2e%2e", "%2E%2e", ".%2e", "%2e.", "..;", "..;x=1", "%2e%2e;",
            "..%00", "%252e%252e", "..%2f", "%c0%ae%c0%ae", "..\\", "..%5c", "");

    private static final List<String> SLASHES = List.of("/", "//", "%2f", "%5c", "\\", "/%2e/");

    /** Every path in a slow build, otherwise a sample of all kinds. */
    private static final int STEP = GeneratedCases.isSlow() ? 1 : 29;

    private HostilePaths() {
    }

    /** Targets of every query of acme's clicks, by every detour. */
    static List<String> targets() {
        List<String> targets = new ArrayList<>();
        for (String path : questions()) {
            targets.add(path);
            targets.add("http://localhost" + path);
            targets.add("https://elsewhere.example:1" + path);
            targets.add("/" + path);
            targets.add("/." + path);
            targets.add("/;" + path);
            targets.add("http://localhost/api/v1/problems/%2e%2e" + path.substring("/api/v1".length()));
            for (String open : OPEN) {
                targets.add(open + "?" + path);
                targets.add(open + "%3f" + path);
                targets.add(open + "/x#/.." + path);
                for (String up : UP) {
                    for (String slash : SLASHES) {
                        targets.add(open + slash + up + slash + path.substring("/api/v1/".length()));
                        targets.add(open + slash + up + slash + up + slash + path.substring(1));
                        targets.add(open + slash + up + slash + up + slash + up + path);
                    }
                }
            }
        }
        return targets;
    }

    private static List<String> questions() {
        List<String> questions = new ArrayList<>(List.of("/api/v1/datasets",
                "/api/v1/prometheus/api/v1/query?tenant=acme&query=windrow_clicks_events",
                "/api/v1/prometheus/api/v1/label/referrer/values?tenant=acme"));
        for (QueryKind operation : QueryKind.values()) {
            questions.add("/api/v1/datasets/clicks/" + operation.word() + switch (operation) {
                case BUCKETS, LIVE -> "?tenant=acme&granularity=minute";
                case SERIES -> "?tenant=acme&granularity=minute&label=a";
                case TOTALS -> "?tenant=acme&label=a";
                case TOP -> "?tenant=acme&by=events";
                case BUSIEST -> "?tenant=acme&by=events&granularity=hour";
                case COMPARE -> "?tenant=acme&last=7d";
                case POSITION -> "?tenant=acme&by=events&label=a";
            });
        }
        return questions;
    }

    /** Sends every {@link #STEP}th target, or with headers every eighth of those; no answer may contain protected data. */
    static void requireNothingDisclosed(String... headers) {
        RawHttp http = new RawHttp();
        List<String> targets = targets();
        assertThat(targets).hasSizeGreaterThan(3_000);
        for (int i = 0; i < targets.size(); i += headers.length == 0 ? STEP : 8 * STEP) {
            String target = targets.get(i);
            for (String method : List.of("GET", "HEAD", "POST")) {
                if (method.equals("GET") || target.hashCode() % 16 == 0) {
                    String body = "{}";
                    Answer answer = method.equals("POST")
                            ? http.request(method, target, body, with(headers, "Content-Type: application/json",
                                    "Content-Length: " + body.length()))
                            : http.request(method, target, "", with(headers, "Connection: close"));
                    requireNothingDisclosed(method + " " + target, answer);
                }
            }
        }
    }

    private static void requireNothingDisclosed(String request, Answer answer) {
        boolean description = (answer.status() == 200 || answer.header("Location").orElse("").startsWith("/q/"))
                && request.matches("[A-Z]+ /q/[^#]*");
        if (description) {
            assertThat(answer.body()).as(request).doesNotContain("\"label\":[\"a\"]").doesNotContain("\"eventType\"");
            return;
        }
        assertThat(answer.status()).as(request + "\n" + answer).isIn(400, 401, 404, 405, 415);
        if (!request.startsWith("HEAD")) {
            boolean isPrometheusError = answer.body().startsWith("{\"status\":\"error\",");
            boolean isNoUri = answer.status() == 400 && answer.body().isEmpty();
            assertThat(answer.isProblem() || isPrometheusError || isNoUri).as(request + "\n" + answer).isTrue();
        }
    }

    private static String[] with(String[] headers, String... more) {
        List<String> all = new ArrayList<>(List.of(headers));
        all.addAll(List.of(more));
        return all.toArray(String[]::new);
    }
}
