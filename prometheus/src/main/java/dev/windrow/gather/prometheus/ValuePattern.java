package dev.windrow.gather.prometheus;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A pattern for values: one value, or all values with a prefix, or with some parts in this order.
 *
 * @param parts the start of a value, parts found later with anything between them ({@code .*}), and the end of the value
 * @param something whether there must be something before the last part ({@code .+}), which is empty then
 */
record ValuePattern(List<String> parts, boolean something) {

    private static final String SUPPORTED = "expected values, prefixes and parts of values such as a|b, abc.*, abc.+ or"
            + " .*abc.*, with special characters escaped as in a\\\\.b, and perhaps (?i) before them";
    /** Limits the time of matching: every value is searched for every part. */
    private static final int MAX_GAPS = 100;

    /**
     * A character, a gap, or the end of an alternative. Punctuation such as a dash or a slash may be escaped like special
     * characters, but escaped letters are character classes.
     */
    private static final Pattern NEXT = Pattern.compile("(?s)(?:\\\\(?![\\p{L}\\p{Nd}])|(?![.*+?()\\[\\]{}^$|\\\\]))(.)"
            + "|\\.\\*|\\.\\+(?=\\|)|\\|");

    /** Any value: {@code .*} */
    static final ValuePattern ANY = new ValuePattern(List.of("", ""), false);

    ValuePattern {
        parts = List.copyOf(parts);
    }

    /**
     * Reads a regular expression of values, prefixes and parts of values, several with {@code |}: one of the patterns must
     * match the whole value.
     */
    static List<ValuePattern> of(String expression) {
        // A backslash that is escaped itself does not escape the last parenthesis.
        boolean grouped = expression.length() > 1 && expression.startsWith("(") && expression.endsWith(")")
                && !expression.replace("\\\\", "").endsWith("\\)");
        String alternatives = (grouped ? expression.substring(1, expression.length() - 1) : expression) + "|";
        List<ValuePattern> patterns = new ArrayList<>();
        List<String> parts = new ArrayList<>();
        StringBuilder part = new StringBuilder();
        Matcher next = NEXT.matcher(alternatives);
        String before = "";
        int gaps = 0;
        for (int at = 0; at < alternatives.length()
                && next.region(at, alternatives.length()).lookingAt(); at = next.end()) {
            if (next.group(1) != null) {
                part.append(next.group(1));
            } else {
                parts.add(part.toString());
                part.setLength(0);
            }
            if (next.group().equals("|")) {
                patterns.add(new ValuePattern(parts, before.equals(".+")));
                parts.clear();
            } else if (next.group().equals(".*") && alternatives.charAt(next.end()) != '|' && ++gaps > MAX_GAPS) {
                throw PromQl.invalid("expected at most " + MAX_GAPS + " times .* between parts of values");
            }
            before = next.group();
        }
        // A trailing backslash would escape the end of the last alternative.
        if (next.regionStart() < alternatives.length() - 1) {
            throw PromQl.unsupported("the regular expression " + expression, SUPPORTED);
        }
        return patterns;
    }

    static ValuePattern whole(String value) {
        return new ValuePattern(List.of(value), false);
    }

    /** Whether it matches one value only. */
    boolean isWhole() {
        return parts.size() == 1;
    }

    /** Returns what all matching values begin with; may be empty. */
    String prefix() {
        return parts.get(0);
    }

    /** Matches each part where it is found first, so that the time is that of one search. */
    boolean matches(String value) {
        int at = 0;
        for (int i = 0; i < parts.size(); i++) {
            String part = parts.get(i);
            boolean last = i > 0 && i == parts.size() - 1;
            int found = i == 0 ? 0 : last ? value.length() - part.length() : value.indexOf(part, at);
            if (found < (last && something ? at + 1 : at) || !value.startsWith(part, found)) {
                return false;
            }
            at = found + part.length();
        }
        return at == value.length();
    }
}
