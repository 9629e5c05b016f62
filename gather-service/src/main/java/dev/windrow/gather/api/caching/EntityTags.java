package dev.windrow.gather.api.caching;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Compares entity tags with conditions of requests (RFC 9110, sections 8.8.3 and 13.1). */
final class EntityTags {

    private static final Pattern TAG = Pattern.compile("(?:W/)?\"([\\x21\\x23-\\x7e\\x80-\\xff]*+)\"");

    private EntityTags() {
    }

    /** Whether the header If-None-Match names this tag, by weak comparison: whether one or both are weak does not matter. */
    static boolean anyMatches(String header, String opaqueTag) {
        if (header.strip().equals("*")) {
            return true;
        }
        Matcher tags = TAG.matcher(header);
        while (tags.find()) {
            if (tags.group(1).equals(opaqueTag)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the header If-Match lets an answer through: by strong comparison, which a weak tag never passes. */
    static boolean allowsWeak(String header) {
        return header.strip().equals("*");
    }
}
