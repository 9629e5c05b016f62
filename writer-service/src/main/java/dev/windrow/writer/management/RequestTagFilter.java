package dev.windrow.writer.management;

import java.util.List;
import java.util.Set;

import jakarta.inject.Singleton;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.config.MeterFilter;

/**
 * Keeps the meters of HTTP requests few. Method and path are the client's text unless a route was matched, and each new value
 * makes a meter that is never removed.
 */
@Singleton
class RequestTagFilter implements MeterFilter {

    private static final String REQUESTS = "http.server.requests";
    private static final String METHOD = "method";
    private static final String URI = "uri";

    /** Those of RFC 9110 and PATCH. */
    private static final Set<String> METHODS = Set.of("GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE",
            "PATCH");
    private static final String OTHER_METHOD = "OTHER";

    private static final Set<String> URIS = Set.of("root", "NOT_FOUND", "REDIRECTION", "/manage/state", "/manage/pause",
            "/manage/resume", "/manage/dead-letters", "/manage/dead-letters/replay");
    private static final String OTHER_URI = "UNKNOWN";

    @Override
    public Meter.Id map(Meter.Id id) {
        if (!id.getName().equals(REQUESTS)) {
            return id;
        }
        List<Tag> tags = id.getTags().stream().map(tag -> switch (tag.getKey()) {
            case METHOD -> Tag.of(METHOD, METHODS.contains(tag.getValue()) ? tag.getValue() : OTHER_METHOD);
            case URI -> Tag.of(URI, URIS.contains(tag.getValue()) ? tag.getValue() : OTHER_URI);
            default -> tag;
        }).toList();
        return id.replaceTags(tags);
    }
}
