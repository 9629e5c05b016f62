package dev.windrow.base;

import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One field of a log record.
 *
 * @param value on one line and of bounded length
 */
public record LogField(LogKey key, String value) {

    /** A quote, or the end, with the backslashes before it, which would escape it. */
    private static final Pattern QUOTE_OR_END = Pattern.compile("(\\\\*)(?:(\")|$)");
    private static final Function<MatchResult, String> QUOTED = found -> Matcher
            .quoteReplacement(found.group(1).repeat(2) + (found.group(2) == null ? "" : "\\\""));

    /** Returns {@code key=value}, quoted where the end of the value would otherwise be ambiguous (logfmt). */
    @Override
    public String toString() {
        return key.word() + "=" + (isPlain() ? value : "\"" + QUOTE_OR_END.matcher(value).replaceAll(QUOTED) + "\"");
    }

    private boolean isPlain() {
        return !value.isEmpty() && value.chars().noneMatch(c -> c == ' ' || c == '"' || c == '\\' || c == '=' || c == ',');
    }
}
