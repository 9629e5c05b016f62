package dev.windrow.gather.render;

import jakarta.ws.rs.core.HttpHeaders;

/** The media types of answers written line by line, NDJSON and CSV, and how a request selects one. */
public final class LineFormats {

    public static final String NDJSON = "application/x-ndjson";
    public static final String CSV = "text/csv";

    /** The media type that resources declare for both. A stream can declare only one, so the filter requests this one. */
    public static final String LINES = "application/vnd.windrow.lines";

    private static final String AS = "as";

    /** The value of the header Accept that selects a stream. */
    public static String accept(boolean csv) {
        return LINES + ";" + AS + "=" + (csv ? "csv" : "ndjson");
    }

    public static boolean isCsv(HttpHeaders headers) {
        return headers.getAcceptableMediaTypes().stream().anyMatch(type -> "csv".equals(type.getParameters().get(AS)));
    }

    static String contentType(boolean csv) {
        return csv ? CSV + ";charset=UTF-8" : NDJSON;
    }
}
