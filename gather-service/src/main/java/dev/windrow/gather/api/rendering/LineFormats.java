package dev.windrow.gather.api.rendering;

import java.util.Map;

import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;

/** The media types of answers that are written line by line, NDJSON and CSV, and how a request selects one. */
public final class LineFormats {

    public static final String NDJSON = "application/x-ndjson";
    public static final String CSV = "text/csv";

    /** The type that resources produce for both: a stream can have one declared type only, so the filter sets this one. */
    public static final String LINES = "application/vnd.windrow.lines";

    private static final String AS = "as";
    private static final MediaType LINES_AS_CSV = new MediaType("application", "vnd.windrow.lines", Map.of(AS, "csv"));
    private static final MediaType LINES_AS_NDJSON = new MediaType("application", "vnd.windrow.lines",
            Map.of(AS, "ndjson"));

    private LineFormats() {
    }

    /** The value of the header Accept that selects a stream. */
    public static String accept(boolean csv) {
        return (csv ? LINES_AS_CSV : LINES_AS_NDJSON).toString();
    }

    /** Whether the client wants CSV rather than NDJSON. */
    public static boolean isCsv(HttpHeaders headers) {
        return headers.getAcceptableMediaTypes().stream().anyMatch(type -> "csv".equals(type.getParameters().get(AS)));
    }

    static String contentType(boolean csv) {
        return csv ? CSV + ";charset=UTF-8" : NDJSON;
    }
}
