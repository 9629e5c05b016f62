package dev.windrow.gather.http;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Checks the headers Accept and Content-Type against their grammar (RFC 9110, sections 8.3 and 12.5.1). */
final class MediaTypes {

    private static final String TOKEN_PUNCTUATION = "!#$%&'*+-.^_`|~";

    private MediaTypes() {
    }

    /**
     * A list of media ranges without its empty elements, which mean nothing; empty if one is malformed. A lone {@code *},
     * which Java's own client sends, counts as a range.
     */
    static Optional<String> ranges(String header) {
        List<String> ranges = elements(header, ",");
        return ranges.stream().allMatch(range -> isType(range, true)) ? Optional.of(String.join(",", ranges))
                : Optional.empty();
    }

    /** Whether this is one media type without wildcards. */
    static boolean isType(String header) {
        return isType(header, false);
    }

    private static boolean isType(String text, boolean range) {
        List<String> parts = elements(text, ";");
        if (parts.isEmpty() || text.strip().startsWith(";")) {
            return false;
        }
        String[] names = parts.get(0).split("/", -1);
        boolean named = names.length == 2 && isToken(names[0]) && isToken(names[1])
                && (range || !parts.get(0).contains("*"));
        return (named || (range && parts.get(0).equals("*")))
                && parts.stream().skip(1).allMatch(MediaTypes::isParameter);
    }

    private static boolean isParameter(String text) {
        int equals = text.indexOf('=');
        return equals > 0 && isToken(text.substring(0, equals))
                && (isToken(text.substring(equals + 1)) || isQuoted(text.substring(equals + 1)));
    }

    private static boolean isQuoted(String text) {
        return text.length() >= 2 && text.startsWith("\"") && text.indexOf('"', 1) == text.length() - 1
                && text.indexOf('\\') < 0;
    }

    private static List<String> elements(String text, String separator) {
        return Arrays.stream(text.split(separator)).map(String::strip).filter(part -> !part.isEmpty()).toList();
    }

    private static boolean isToken(String text) {
        return !text.isEmpty() && text.chars().allMatch(c -> (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9') || TOKEN_PUNCTUATION.indexOf(c) >= 0);
    }
}
