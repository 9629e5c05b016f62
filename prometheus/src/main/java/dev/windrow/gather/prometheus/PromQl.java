package dev.windrow.gather.prometheus;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import dev.windrow.base.Sanitized;

/** Parses queries and reports what is wrong with them. */
final class PromQl {

    /** The label that holds a series' metric name. */
    static final String NAME = "__name__";

    private static final Pattern DURATION = Pattern.compile(
            "(?:([0-9]{1,9})y)?(?:([0-9]{1,9})w)?(?:([0-9]{1,9})d)?(?:([0-9]{1,9})h)?(?:([0-9]{1,9})m(?!s))?"
                    + "(?:([0-9]{1,9})s)?(?:([0-9]{1,9})ms)?");
    private static final List<Duration> UNITS = List.of(Duration.ofDays(365), Duration.ofDays(7), Duration.ofDays(1),
            Duration.ofHours(1), Duration.ofMinutes(1), Duration.ofSeconds(1), Duration.ofMillis(1));
    /** Longer than all time. Longer durations make no difference, and could exceed the range of instants. */
    private static final Duration LONGEST = Duration.ofDays(365 * 100_000L);

    private PromQl() {
    }

    /** Returns the error for a query that is PromQL, but outside the subset. */
    static InvalidInputException unsupported(String what, String instead) {
        return invalid(Sanitized.line(what) + " is not supported: " + instead);
    }

    /** Returns the error for a query that is not PromQL. */
    static InvalidInputException malformed(String expected, Token found) {
        return invalid("expected " + expected + " at character " + (found.position() + 1) + ", found "
                + (found.kind() == Token.Kind.END ? "the end" : Sanitized.of(found.text())));
    }

    static InvalidInputException invalid(String expectation) {
        return new InvalidInputException(Reason.INVALID_PARAMETER, "query", expectation);
    }

    /** Returns a duration such as {@code 1h30m}; empty if the text is not one or it is zero. A year has 365 days. */
    static Optional<Duration> duration(String text) {
        Matcher matcher = DURATION.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        Duration sum = Duration.ZERO;
        for (int unit = 0; unit < UNITS.size(); unit++) {
            String count = matcher.group(unit + 1);
            sum = count == null ? sum : sum.plus(UNITS.get(unit).multipliedBy(Long.parseLong(count)));
        }
        return sum.isZero() ? Optional.empty() : Optional.of(sum.compareTo(LONGEST) < 0 ? sum : LONGEST);
    }

    /**
     * A token of a query.
     *
     * @param text its text; without quotes and escapes for a string; without the brackets for a range
     * @param position index of its first character in the query
     */
    record Token(Kind kind, String text, int position) {

        enum Kind {
            /** A blank or a comment. Possessive, because each repetition would take stack otherwise. */
            BLANK("[ \\t\\n\\x0B\\f\\r]++|#[^\\n]*+"),
            /** Matches only the opening quote. */
            STRING("[\"'`]"),
            DURATION("(?:[0-9]{1,9}(?:ms|[smhdwy])){1,7}(?![a-zA-Z0-9_:.])"),
            NUMBER("(?:[0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)(?:[eE][-+]?[0-9]+)?"),
            IDENTIFIER("[a-zA-Z_:][a-zA-Z0-9_:]*"),
            RANGE("\\[([^\\]]*)\\]"),
            SYMBOL("=~|!~|!=|==|<=|>=|[-+*/%^(){},=<>@]"),
            END("\\z");

            final Pattern form;

            Kind(String form) {
                this.form = Pattern.compile(form);
            }
        }

        boolean is(String symbol) {
            return kind == Kind.SYMBOL && text.equals(symbol);
        }

        /** Whether it is this keyword, in any case. */
        boolean isKeyword(String word) {
            return kind == Kind.IDENTIFIER && text.equalsIgnoreCase(word);
        }
    }

}
