package dev.windrow.quickstart;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * Generated traffic of a web site: two weeks of past clicks with days, nights and weekends, a campaign and an outage, followed
 * by live clicks. Both follow the same rate, so the transition does not show.
 *
 * <p>
 * The embedded DynamoDB takes milliseconds to write a bucket, so the past has few events, each of many clicks: the further
 * back, the longer the time that one event stands for. In the last hours it is short enough for charts by the minute and by
 * five minutes.
 */
final class LifelikeClicks {

    /** How far back the past goes. */
    static final Duration PAST = Duration.ofDays(14);

    static final String CAMPAIGN_REFERRER = "https://newsletter.example/";
    static final Duration CAMPAIGN = Duration.ofHours(6);
    static final Duration OUTAGE = Duration.ofHours(1);

    /** After a pause of this process, such as a laptop's sleep, at most this much time is filled in. */
    private static final Duration LONGEST_PRESENT = Duration.ofMinutes(10);
    /** Charts of a day have a point every five minutes. */
    private static final Duration BY_FIVE_MINUTES = Duration.ofHours(25);
    private static final Duration BY_MINUTE = Duration.ofHours(6);

    /** Clicks per second on the afternoon of a weekday. */
    private static final double PEAK = 6;
    private static final double NIGHT = 0.15;
    private static final double WEEKEND = 0.5;
    /** In UTC. */
    private static final int QUIETEST_HOUR = 3;
    private static final double CAMPAIGN_FACTOR = 5;
    private static final Set<DayOfWeek> DAYS_OFF = EnumSet.of(DayOfWeek.SATURDAY, DayOfWeek.SUNDAY);
    private static final double SECONDS_A_DAY = 86_400;

    private static final int BYTES_SPREAD = 3;

    /** A group of referrers with its share of the clicks. A step of the past has one event per group, with one referrer. */
    private record Source(double share, List<Choice> referrers) {
    }

    /** A value of an attribute, drawn in proportion to its share. */
    private record Choice(String value, double share) {
    }

    private static final Source NEWSLETTER = new Source(0.12, List.of(new Choice(CAMPAIGN_REFERRER, 1)));
    private static final List<Source> SOURCES = List.of(new Source(0.34, List.of(new Choice("direct", 1))),
            new Source(0.31, List.of(new Choice("https://search.example/", 1))), NEWSLETTER,
            new Source(0.23, List.of(new Choice("https://social.example/", 1), new Choice("https://news.example/", 1.0 / 2),
                    new Choice("https://forum.example/", 1.0 / 3), new Choice("https://partner.example/", 1.0 / 4),
                    new Choice("https://blog.example/", 1.0 / 5))));
    private static final List<Choice> PAGES = List.of(new Choice("/", 0.34), new Choice("/docs", 0.27),
            new Choice("/pricing", 0.17), new Choice("/blog/exactly-once", 0.14), new Choice("/sign-up", 0.08));
    private static final Map<String, Integer> PAGE_BYTES = Map.of("/", 18_000, "/docs", 42_000, "/pricing", 24_000,
            "/blog/exactly-once", 65_000, "/sign-up", 9_000);
    private static final List<Choice> COUNTRIES = List.of(new Choice("DE", 0.38), new Choice("US", 0.31),
            new Choice("FR", 0.18), new Choice("IN", 0.13));

    private final RandomGenerator random;
    private final Instant now;
    private final Instant outage;
    private final Instant campaign;
    /** End of the time for which clicks have been generated. */
    private Instant present;

    /**
     * @param random source of all choices
     * @param now end of the past
     */
    LifelikeClicks(RandomGenerator random, Instant now) {
        this.random = random;
        this.now = now;
        this.present = now;
        LocalDate today = now.atZone(ZoneOffset.UTC).toLocalDate();
        LocalDate dayOfOutage = workday(today.minusDays(2));
        this.outage = dayOfOutage.atTime(13, 0).toInstant(ZoneOffset.UTC);
        this.campaign = workday(dayOfOutage.minusDays(2)).atTime(9, 0).toInstant(ZoneOffset.UTC);
    }

    private static LocalDate workday(LocalDate latest) {
        LocalDate day = latest;
        while (DAYS_OFF.contains(day.getDayOfWeek())) {
            day = day.minusDays(1);
        }
        return day;
    }

    /** Returns the start of the outage of one hour, two to four days ago. */
    Instant outage() {
        return outage;
    }

    /** Returns the start of the six hours in which the newsletter brought more visitors, four to six days ago. */
    Instant campaign() {
        return campaign;
    }

    /** Returns two weeks of clicks up to now, ordered by time. */
    Stream<Click> past() {
        return Stream.iterate(now.minus(PAST).truncatedTo(ChronoUnit.HOURS), now::isAfter, from -> from.plus(step(from)))
                .flatMap(this::past);
    }

    /** Returns the clicks of a step: one event for each source that has any. */
    private Stream<Click> past(Instant from) {
        Instant end = from.plus(step(from));
        Instant to = end.isBefore(now) ? end : now;
        List<Click> clicks = new ArrayList<>();
        for (Source source : SOURCES) {
            int count = poisson(expected(source, from, to));
            if (count > 0) {
                clicks.add(click(from, source, count));
            }
        }
        return clicks.stream();
    }

    /** Returns the time that one event stands for, which is constant within an hour. */
    private Duration step(Instant from) {
        Instant hour = from.truncatedTo(ChronoUnit.HOURS);
        return hour.isBefore(now.minus(BY_FIVE_MINUTES)) ? Duration.ofHours(1)
                : hour.isBefore(now.minus(BY_MINUTE)) ? Duration.ofMinutes(5) : Duration.ofMinutes(1);
    }

    /**
     * Returns the clicks since the last call or, on the first one, since the end of the past: one event each, ordered by time.
     *
     * @param to the present; if it is more than ten minutes after the last one, only the last ten minutes have clicks
     */
    List<Click> present(Instant to) {
        Instant start = present.isBefore(to.minus(LONGEST_PRESENT)) ? to.minus(LONGEST_PRESENT) : present;
        present = to;
        long millis = Duration.between(start, to).toMillis();
        if (millis <= 0) {
            return List.of();
        }
        List<Click> clicks = new ArrayList<>();
        for (Source source : SOURCES) {
            int count = poisson(expected(source, start, to));
            for (int i = 0; i < count; i++) {
                clicks.add(click(start.plusMillis(random.nextLong(millis)), source, 1));
            }
        }
        clicks.sort(Comparator.comparing(Click::time));
        return clicks;
    }

    private double expected(Source source, Instant from, Instant to) {
        Duration length = Duration.between(from, to);
        double seconds = length.toMillis() / 1_000.0;
        return rate(source, from.plus(length.dividedBy(2))) * seconds;
    }

    /** Returns clicks per second. */
    private double rate(Source source, Instant time) {
        if (isWithin(time, outage, OUTAGE)) {
            return 0;
        }
        double boost = source.equals(NEWSLETTER) && isWithin(time, campaign, CAMPAIGN) ? CAMPAIGN_FACTOR : 1;
        return rate(time) * source.share() * boost;
    }

    private static boolean isWithin(Instant time, Instant start, Duration length) {
        return !time.isBefore(start) && time.isBefore(start.plus(length));
    }

    /** Returns clicks per second of all sources, without campaign and outage. */
    static double rate(Instant time) {
        double days = time.getEpochSecond() / SECONDS_A_DAY;
        double fromQuietest = 2 * Math.PI * (days - QUIETEST_HOUR / 24.0);
        double daylight = (1 - Math.cos(fromQuietest)) / 2;
        // Two waves that never repeat together, so that no two days are alike.
        double whim = 1 + 0.07 * Math.sin(days * 31.7) + 0.04 * Math.sin(days * 97.3);
        boolean off = DAYS_OFF.contains(time.atZone(ZoneOffset.UTC).getDayOfWeek());
        return PEAK * (NIGHT + (1 - NIGHT) * daylight) * whim * (off ? WEEKEND : 1);
    }

    private Click click(Instant time, Source source, int count) {
        String referrer = draw(source.referrers());
        String page = draw(PAGES);
        // The more responses, the closer their mean is to the usual size.
        double mean = Objects.requireNonNull(PAGE_BYTES.get(page))
                * (1 + random.nextGaussian() / (BYTES_SPREAD * Math.sqrt(count)));
        long bytes = Math.max(1, Math.round(mean)) * count;
        return new Click(time, referrer, page, draw(COUNTRIES), count, bytes);
    }

    private String draw(List<Choice> choices) {
        double point = random.nextDouble() * choices.stream().mapToDouble(Choice::share).sum();
        for (Choice choice : choices) {
            point -= choice.share();
            if (point < 0) {
                return choice.value();
            }
        }
        return choices.get(choices.size() - 1).value();
    }

    /** Draws a Poisson-distributed number: exactly for small means, by a normal approximation for large ones. */
    private int poisson(double mean) {
        if (mean > 50) {
            return (int) Math.max(0, Math.round(mean + Math.sqrt(mean) * random.nextGaussian()));
        }
        double limit = Math.exp(-mean);
        int count = 0;
        for (double product = random.nextDouble(); product > limit; product *= random.nextDouble()) {
            count++;
        }
        return count;
    }
}
