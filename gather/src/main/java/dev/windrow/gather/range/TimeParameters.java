package dev.windrow.gather.range;

import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.Period;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.TemporalAdjusters;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import dev.windrow.base.Sanitized;
import dev.windrow.gather.parameter.Parameters;
import dev.windrow.gather.parameter.QueryParameter;
import dev.windrow.time.EventTimes;

/** Reads instants, ranges and durations from parameters. Relative times count from the {@code now} given. */
public record TimeParameters(Parameters parameters, Instant now) {

    private static final String NOW = "now";
    private static final List<QueryParameter> INSTANTS = List.of(QueryParameter.FROM, QueryParameter.TO,
            QueryParameter.AGAINST_FROM, QueryParameter.AGAINST_TO);
    private static final Pattern DATE = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}");
    private static final Pattern RELATIVE = Pattern.compile("([+-])P([^T]*)(T.+)?");
    private static final Pattern SPAN = Pattern.compile("([0-9]{1,9})(s|m|h|d|w)");
    private static final Pattern TIMEOUT = Pattern.compile("([0-9]{1,9})(ms|s)");
    /** The words for calendar periods. */
    public static final List<String> PERIODS = List.of("today", "yesterday", "this-week", "last-week", "this-month",
            "last-month", "this-year", "last-year");
    private static final String LAST_EXPECTED = "a number and one of s, m, h, d, w, such as 7d, or one of "
            + String.join(", ", PERIODS);
    private static final String SIGNED_DURATION = "expected an ISO 8601 duration with a sign, such as -PT1H or -P7D";
    /** A plus sign that was not written as %2B arrives as a space. */
    private static final Pattern LOST_PLUS = Pattern.compile("(:\\d\\d(?:\\.\\d+)?) (\\d\\d(?::?\\d\\d)?)$");

    /** The range of {@code from} and {@code to}, or {@code last}; all time if they are absent. */
    public TimeRange range() {
        Optional<TimeRange> bounded = range(QueryParameter.FROM, QueryParameter.TO);
        Optional<TimeRange> last = parameters.parsed(QueryParameter.LAST, this::last, LAST_EXPECTED);
        if (last.isPresent() && bounded.isPresent()) {
            throw Parameters.invalid(QueryParameter.LAST, "cannot be combined with `from` or `to`");
        }
        return last.or(() -> bounded).orElse(TimeRange.ALL);
    }

    /** The range of two parameters; empty if both are absent. */
    public Optional<TimeRange> range(QueryParameter from, QueryParameter to) {
        if (parameters.text(from).isEmpty() && parameters.text(to).isEmpty()) {
            return Optional.empty();
        }
        Instant start = instant(from).orElse(TimeRange.ALL.from());
        Instant end = instant(to).orElse(TimeRange.ALL.to());
        if (end.isBefore(start)) {
            throw Parameters.invalid(to, "must not be before " + from.word() + " (" + start + "), found " + end);
        }
        return Optional.of(new TimeRange(start, end));
    }

    /** Whether a bound is a date or belongs to a calendar period, rather than a point in time. */
    boolean isDate(QueryParameter bound) {
        boolean ofPeriod = (bound == QueryParameter.FROM || bound == QueryParameter.TO) && parameters.has(QueryParameter.LAST);
        return parameters.text(ofPeriod ? QueryParameter.LAST : bound)
                .filter(text -> DATE.matcher(text).matches() || PERIODS.contains(text)).isPresent();
    }

    /** The parameter that the range comes from. */
    public QueryParameter bound() {
        return parameters.firstOf(QueryParameter.LAST, QueryParameter.FROM, QueryParameter.TO);
    }

    /** How long the range that ends now is; empty if it has other bounds. */
    Optional<Duration> span() {
        return parameters.text(QueryParameter.LAST).flatMap(TimeParameters::span);
    }

    /** Whether a bound is counted from now. */
    boolean isRelative(QueryParameter bound) {
        return parameters.has(QueryParameter.LAST)
                || parameters.text(bound).filter(TimeParameters::isRelative).isPresent();
    }

    /** Whether the same parameters mean another range a moment later. */
    public boolean isRelative() {
        return parameters.has(QueryParameter.LAST) || INSTANTS.stream()
                .anyMatch(parameter -> parameters.text(parameter).filter(TimeParameters::isRelative).isPresent());
    }

    private static boolean isRelative(String text) {
        return text.equals(NOW) || relative(text).matches();
    }

    public ZoneId zone() {
        return zone(parameters);
    }

    static ZoneId zone(Parameters parameters) {
        boolean lostPlus = parameters.text(QueryParameter.TZ).filter(text -> text.contains(" ")).isPresent();
        return parameters.parsed(QueryParameter.TZ, TimeParameters::zone, "an IANA time zone such as Europe/Berlin"
                + (lostPlus ? ", with + written as %2B" : "")).orElse(ZoneOffset.UTC);
    }

    private static Optional<ZoneId> zone(String text) {
        try {
            return Optional.of(ZoneId.of(text).normalized());
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    private Optional<TimeRange> last(String text) {
        return PERIODS.contains(text) ? Optional.of(period(text))
                : span(text).map(span -> new TimeRange(TimeRange.clamped(now.minus(span)), now));
    }

    /** A calendar period in the zone; one that is not over yet ends now, and weeks begin on Monday. */
    private TimeRange period(String word) {
        LocalDate today = now.atZone(zone()).toLocalDate();
        LocalDate monday = today.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY));
        LocalDate month = today.withDayOfMonth(1);
        LocalDate year = today.withDayOfYear(1);
        return switch (word) {
            case "today" -> new TimeRange(midnight(today), now);
            case "yesterday" -> new TimeRange(midnight(today.minusDays(1)), midnight(today));
            case "this-week" -> new TimeRange(midnight(monday), now);
            case "last-week" -> new TimeRange(midnight(monday.minusWeeks(1)), midnight(monday));
            case "this-month" -> new TimeRange(midnight(month), now);
            case "last-month" -> new TimeRange(midnight(month.minusMonths(1)), midnight(month));
            case "this-year" -> new TimeRange(midnight(year), now);
            case "last-year" -> new TimeRange(midnight(year.minusYears(1)), midnight(year));
            default -> throw new IllegalArgumentException("no such period: " + word);
        };
    }

    private Instant midnight(LocalDate date) {
        return TimeRange.clamped(date.atStartOfDay(zone()).toInstant());
    }

    Optional<Instant> instant(QueryParameter parameter) {
        return parameters.text(parameter).map(text -> instant(parameter, text));
    }

    private Instant instant(QueryParameter parameter, String text) {
        if (text.equals(NOW)) {
            return now;
        }
        if (DATE.matcher(text).matches()) {
            try {
                return midnight(LocalDate.parse(text));
            } catch (DateTimeException e) {
                return EventTimes.parse(parameter.word(), text);
            }
        }
        Matcher relative = relative(text);
        if (relative.matches()) {
            return relative(parameter, relative);
        }
        if (span(text.replaceFirst("^(now)?[ +-]", "")).isPresent() || PERIODS.contains(text)) {
            throw new InvalidInputException(Reason.INVALID_TIME, parameter.word(), "expected a time, found "
                    + Sanitized.of(text) + "; a time relative to now is written -P7D or -PT1H, and last=7d or last=yesterday is"
                    + " a range");
        }
        return EventTimes.parse(parameter.word(), LOST_PLUS.matcher(text).replaceFirst("$1+$2"));
    }

    private static Matcher relative(String text) {
        return RELATIVE.matcher(text.startsWith(" P") ? "+" + text.substring(1) : text);
    }

    private Instant relative(QueryParameter parameter, Matcher relative) {
        if (relative.group(2).isEmpty() && relative.group(3) == null) {
            throw Parameters.invalid(parameter, SIGNED_DURATION);
        }
        try {
            Period days = relative.group(2).isEmpty() ? Period.ZERO : Period.parse("P" + relative.group(2));
            Duration time = relative.group(3) == null ? Duration.ZERO : Duration.parse("P" + relative.group(3));
            ZonedDateTime here = now.atZone(ZoneOffset.UTC);
            Instant named = (relative.group(1).equals("-") ? here.minus(days).minus(time) : here.plus(days).plus(time))
                    .toInstant();
            if (named.isAfter(EventTimes.LATEST)) {
                throw Parameters.invalid(parameter, "must be before the year 10000");
            }
            return TimeRange.clamped(named);
        } catch (DateTimeException | ArithmeticException e) {
            throw Parameters.invalid(parameter, SIGNED_DURATION);
        }
    }

    public Duration timeout(Duration absent, Duration cap) {
        Duration requested = parameters.parsed(QueryParameter.TIMEOUT, TimeParameters::timeout,
                "a positive duration such as 500ms, 2s or PT2S").orElse(absent);
        return requested.compareTo(cap) < 0 ? requested : cap;
    }

    private static Optional<Duration> timeout(String text) {
        Matcher matcher = TIMEOUT.matcher(text);
        try {
            Duration timeout = matcher.matches()
                    ? Duration.ofMillis(Long.parseLong(matcher.group(1)) * (matcher.group(2).equals("ms") ? 1 : 1_000))
                    : Duration.parse(text);
            return timeout.isNegative() || timeout.isZero() ? Optional.empty() : Optional.of(timeout);
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    /** A duration such as 7d. */
    public static Optional<Duration> span(String text) {
        Matcher matcher = SPAN.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        long count = Long.parseLong(matcher.group(1));
        return Optional.of(Duration.ofSeconds(count * switch (matcher.group(2)) {
            case "s" -> 1;
            case "m" -> 60;
            case "h" -> 3_600;
            case "d" -> 86_400;
            default -> 7 * 86_400;
        }));
    }
}
