package dev.windrow.gather.http;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

import dev.windrow.gather.plan.QueryKind;
import dev.windrow.gather.plan.QueryParameter;

/** Draws requests: questions that are nearly right, and bytes that are hardly requests. Each is complete, so none waits. */
final class HostileRequests {

    private static final List<String> METHODS = List.of("GET", "GET", "GET", "GET", "POST", "POST", "HEAD", "PUT", "DELETE",
            "OPTIONS", "PATCH", "TRACE", "CONNECT", "get", "GE", "GET,", "\u00e9", "M".repeat(300));

    private static final List<String> PATHS = List.of("/api/v1/datasets", "/api/v1/datasets/", "/api/v1/problems/internal",
            "/api/v1/problems/x", "/api/v1/problems/%2e%2e/datasets", "/api/v1/datasets/clicks", "/q/health", "/q/metrics",
            "/q/openapi", "/q/swagger-ui/", "/q/swagger-ui/%00", "/q/%2e%2e/%2e%2e/etc/passwd", "/", "//", "*", "", "foo",
            "http://x/api/v1/datasets", "https://", "http:/x", "/\\", "/^", "/%", "/%zz", "/%c0%ae", "/" + "x".repeat(20_000),
            "/a;b=c", "/api/v1/datasets/%0a/totals", "/api/v1/datasets/\u0085/totals", "/?", "/??", "/#", "/api/v1/live");

    private static final List<String> DATASETS = List.of("clicks", "votes", "visits", "stock", "nothing", "CLICKS", "%63licks",
            "..", "%2e%2e", "a b", "%00", "%ff", "\u00e9", "x".repeat(2_000));

    private static final List<String> VALUES = List.of("", "a", "0", "1", "-1", "2147483648", "1e400", "1e999999999", "NaN",
            "true", "TRUE", "null", "day", "hour", "minute", "month", "fortnight", "now", "-PT1H", "-P999999999Y", "+PT1H",
            "P1D", "7d", "999999999w", "2026-11-20T10:00:00Z", "2026-11-20T10:00:00%2B18:00", "%2B10000-01-01T00:00:00Z",
            "9999-12-31T23:59:59Z", "1970-01-01T00:00:00Z", "-292277022657-01-27T08:29:52Z", "1795170692.5", "Europe/Berlin",
            "UTC+18:00", "Z", "../..", "%", "%zz", "%ff%fe", "%ed%a0%80", "%00", "%0d%0aX: y", "%F0%9F%98%80", "^", "\\", "\"",
            "<x>", "{}", "[]", "'", "a%23b", "\u00e9", "x".repeat(3_000), "asc", "desc", "zero", "previous", "linear", "csv",
            "ndjson", "json", "xml", "events", "bytes", "hour-of-day", "AAAA", "MSN4I3g", "500ms", "1ms", "0s",
            "PT0.000000001S",
            "default", "acme", "second", "https://");

    private static final List<String> HEADERS = List.of("Accept: ", "Accept: x", "Accept: */*", "Accept: text/csv",
            "Accept: application/x-ndjson", "Accept: text/event-stream", "Accept: a/b;q=\"", "Accept: ;,;/", "Accept: */*;q=z",
            "Accept: application/vnd.windrow.lines", "Accept: application/json;charset=x", "Accept: " + "a/b,".repeat(2_000),
            "Content-Type: ", "Content-Type: x", "Content-Type: application/json", "Content-Type: application/json;charset=x",
            "Content-Type: multipart/form-data", "Content-Type: multipart/form-data; boundary=x", "Content-Type: text/plain",
            "Content-Type: application/x-www-form-urlencoded", "Content-Type: application/json;charset=\"", "Host: x", "Host: ",
            "Host: [", "Host: a b", "Content-Length: x", "Content-Length: -5", "Content-Length: 99999999999999999999",
            "Transfer-Encoding: x", "Transfer-Encoding: identity", "If-None-Match: ", "If-None-Match: \"", "If-None-Match: *",
            "If-Match: \"x\"", "If-Match: *", "If-Modified-Since: x", "If-Unmodified-Since: Thu, 01 Jan 1970 00:00:00 GMT",
            "Range: bytes=0-", "Cookie: ;=;\"", "Cookie: a=\"b", "Origin: null", "Origin: https://x", "X-Request-Id: \u0085",
            "X-Request-Id: " + "i".repeat(100), "X-API-Key: ", "Authorization: ", "Authorization: Basic !",
            "Authorization: Bearer",
            "Authorization: Bearer a.b.c", "Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "Upgrade: websocket",
            "Expect: 100-continue", "Expect: x", "Accept-Encoding: gzip", "Accept-Encoding: ;q=", "Accept-Language: ;q=x",
            "Last-Event-ID: x", "Last-Event-ID: -9223372036854775808", "Last-Event-ID: 9223372036854775807",
            "Forwarded: for=\"",
            "X-Forwarded-Host: a b", "X-Forwarded-Port: x", "X-HTTP-Method-Override: DELETE", "no colon", "bad : x", ": x",
            " folded: x", "X: \u0000", "X-Long: " + "x".repeat(20_000), "traceparent: 00-x", "Sec-WebSocket-Key: x");

    private final RandomGenerator random;

    HostileRequests(RandomGenerator random) {
        this.random = random;
    }

    /** A request as bytes in ISO 8859-1. */
    String next() {
        String method = random.nextInt(4) > 0 ? METHODS.get(random.nextInt(5)) : one(METHODS);
        StringBuilder request = new StringBuilder(method + " " + target() + " " + version() + "\r\n");
        if (random.nextInt(20) > 0) {
            request.append("Host: localhost\r\n");
        }
        for (int i = random.nextInt(4); i > 0; i--) {
            request.append(one(HEADERS)).append("\r\n");
        }
        String body = method.equals("POST") || random.nextInt(20) == 0 ? body() : "";
        if (random.nextInt(6) == 0 && !body.isEmpty()) {
            request.append("Transfer-Encoding: chunked\r\n\r\n").append(chunked(body));
        } else {
            request.append("Content-Type: application/json\r\n".repeat(random.nextInt(8) == 0 ? 0 : 1))
                    .append("Content-Length: ").append(body.length()).append("\r\n\r\n").append(body);
        }
        return request.toString();
    }

    private String version() {
        return switch (random.nextInt(40)) {
            case 0 -> "HTTP/1.0";
            case 1 -> "HTTP/2.0";
            case 2 -> "HTTP/9.9";
            case 3 -> "XTTP/1.1";
            case 4 -> "http/1.1";
            default -> "HTTP/1.1";
        };
    }

    private String target() {
        if (random.nextInt(6) == 0) {
            return one(PATHS) + (random.nextBoolean() ? "" : "?" + parameters());
        }
        String dataset = random.nextInt(4) > 0 ? DATASETS.get(random.nextInt(4)) : one(DATASETS);
        return "/api/v1/datasets/" + dataset + "/" + operation().word() + (random.nextInt(5) == 0 ? "" : "?" + parameters());
    }

    private QueryKind operation() {
        return QueryKind.values()[random.nextInt(QueryKind.values().length)];
    }

    private String parameters() {
        List<String> parameters = new ArrayList<>();
        for (int i = random.nextInt(6); i >= 0; i--) {
            QueryParameter parameter = parameter();
            String value = random.nextBoolean() ? parameter.example() : one(VALUES);
            parameters.add(random.nextInt(30) == 0 ? value : parameter.word() + "=" + value);
        }
        return String.join("&", parameters);
    }

    private QueryParameter parameter() {
        return QueryParameter.values()[random.nextInt(QueryParameter.values().length)];
    }

    private String body() {
        StringBuilder body = new StringBuilder("{");
        for (int i = random.nextInt(5); i >= 0; i--) {
            body.append('"').append(parameter().word()).append("\":").append(switch (random.nextInt(6)) {
                case 0 -> one(List.of("1e400", "-0", "1E-400", "12345678901234567890123456789", "0.1", "1e999999999"));
                case 1 -> one(List.of("null", "true", "false", "{}", "[]", "[null]", "[[1]]", "{\"a\":{}}"));
                case 2 -> "[\"" + one(VALUES) + "\",1,true]";
                case 3 -> "\"" + parameter().example() + "\"";
                default -> "\"" + one(VALUES) + "\"";
            }).append(i > 0 ? "," : "");
        }
        body.append("}");
        return switch (random.nextInt(12)) {
            case 0 -> damaged(body);
            case 1 -> "[".repeat(random.nextInt(5_000));
            case 2 -> " ".repeat(random.nextInt(70_000));
            case 3 -> body.substring(random.nextInt(body.length()));
            default -> body.toString();
        };
    }

    private String damaged(StringBuilder body) {
        for (int i = random.nextInt(4); i >= 0; i--) {
            body.setCharAt(random.nextInt(body.length()), (char) random.nextInt(256));
        }
        return body.toString();
    }

    private String chunked(String body) {
        return switch (random.nextInt(6)) {
            case 0 -> "zz\r\n" + body + "\r\n0\r\n\r\n";
            case 1 -> "-1\r\n" + body + "\r\n0\r\n\r\n";
            case 2 -> "ffffffffffffffff\r\n" + body + "\r\n0\r\n\r\n";
            default -> Integer.toHexString(body.length()) + "\r\n" + body + "\r\n0\r\n\r\n";
        };
    }

    private String one(List<String> choices) {
        return choices.get(random.nextInt(choices.size()));
    }
}
