package dev.windrow.quickstart.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.windrow.testing.Seeds;

class LifelikeClicksTest {

    /** A Friday. */
    private static final Instant NOW = Instant.parse("2026-11-20T10:31:32Z");
    private static final Duration DAY = Duration.ofDays(1);

    private final long seed = Seeds.seed("LifelikeClicksTest");

    @Test
    void theSameSeedGivesTheSameClicks() {
        List<Click> clicks = past(seed, NOW);

        assertThat(past(seed, NOW)).isEqualTo(clicks);
        assertThat(past(seed + 1, NOW)).isNotEqualTo(clicks);
    }

    @Test
    void thePastIsOfTwoWeeksInOrderAndOfFewEvents() {
        List<Click> clicks = past(seed, NOW);

        assertThat(clicks).hasSizeLessThan(4_000).extracting(Click::time).isSorted()
                .allSatisfy(time -> assertThat(time).isBetween(NOW.minus(LifelikeClicks.PAST).minus(Duration.ofHours(1)), NOW));
        assertThat(clicks).allSatisfy(click -> {
            assertThat(click.count()).isPositive();
            assertThat(click.bytes()).isPositive();
        });
        assertThat(clicks.stream().mapToLong(Click::count).sum()).isGreaterThan(1_000_000);
    }

    @Test
    void thereAreDaysNightsAndWeekends() {
        Map<LocalDate, Long> days = sums(past(seed, NOW), Duration.ofHours(24)).entrySet().stream()
                .collect(Collectors.toMap(day -> day.getKey().atZone(ZoneOffset.UTC).toLocalDate(), Map.Entry::getValue));
        Map<Instant, Long> hours = sums(past(seed, NOW), Duration.ofHours(1));

        for (String saturday : List.of("2026-11-07", "2026-11-14")) {
            LocalDate date = LocalDate.parse(saturday);
            assertThat(days.get(date)).isLessThan(days.get(date.plusDays(2)) * 7 / 10);
            assertThat(days.get(date.plusDays(1))).isLessThan(days.get(date.plusDays(2)) * 7 / 10);
        }
        for (LocalDate date = LocalDate.parse("2026-11-07"); date
                .isBefore(LocalDate.parse("2026-11-20")); date = date.plusDays(1)) {
            assertThat(hours.get(at(date, 3))).as("%s", date).isLessThan(hours.get(at(date, 15)) / 3);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = { "2026-11-16T00:00:00Z", "2026-11-17T03:00:01Z", "2026-11-18T23:59:59Z", "2026-11-19T12:00:00Z",
            "2026-11-20T10:31:32Z", "2026-11-21T10:31:32Z", "2026-11-22T10:31:32Z" })
    void oneHourHasNothingAndSomeHaveMoreOfOneReferrer(String text) {
        Instant now = Instant.parse(text);
        LifelikeClicks lifelike = new LifelikeClicks(Seeds.random(seed), now);
        List<Click> clicks = past(seed, now);
        Map<Instant, Long> hours = sums(clicks, Duration.ofHours(1));

        // an outage in the last week, by day
        assertThat(lifelike.outage()).isBetween(now.minus(DAY.multipliedBy(5)), now.minus(DAY));
        assertThat(hours).doesNotContainKey(lifelike.outage());
        assertThat(hours).containsKeys(lifelike.outage().minus(LifelikeClicks.OUTAGE),
                lifelike.outage().plus(LifelikeClicks.OUTAGE));
        // and a campaign before it, of which each hour has more of that referrer than any hour outside
        assertThat(lifelike.campaign()).isBetween(now.minus(DAY.multipliedBy(7)), lifelike.outage());
        assertThat(lifelike.campaign().atZone(ZoneOffset.UTC).getDayOfWeek()).isNotIn(DayOfWeek.SATURDAY, DayOfWeek.SUNDAY);
        Map<Instant, Long> newsletter = sums(
                clicks.stream().filter(click -> click.referrer().equals(LifelikeClicks.CAMPAIGN_REFERRER)).toList(),
                Duration.ofHours(1));
        Predicate<Instant> during = hour -> !hour.isBefore(lifelike.campaign())
                && hour.isBefore(lifelike.campaign().plus(LifelikeClicks.CAMPAIGN));
        long usual = newsletter.entrySet().stream().filter(hour -> !during.test(hour.getKey())).mapToLong(Map.Entry::getValue)
                .max().orElseThrow();
        assertThat(newsletter.keySet().stream().filter(during)).hasSize((int) LifelikeClicks.CAMPAIGN.toHours())
                .allSatisfy(hour -> assertThat(newsletter.get(hour)).isGreaterThan(2 * usual));
    }

    @ParameterizedTest
    @ValueSource(strings = { "2026-11-16T00:00:00Z", "2026-11-17T03:00:01Z", "2026-11-18T23:59:59Z", "2026-11-19T12:00:00Z",
            "2026-11-20T10:31:32Z", "2026-11-21T10:31:32Z", "2026-11-22T10:31:32Z" })
    void thePresentGoesOnAtTheRateAtWhichThePastEnds(String text) {
        Instant now = Instant.parse(text);
        LifelikeClicks lifelike = new LifelikeClicks(Seeds.random(seed), now);
        long before = lifelike.past().filter(click -> click.time().isAfter(now.minus(Duration.ofMinutes(21))))
                .filter(click -> !click.time().isAfter(now.minus(Duration.ofMinutes(1)))).mapToLong(Click::count).sum();

        // sent second by second
        List<Click> after = new ArrayList<>();
        for (int second = 0; second < 20 * 60; second++) {
            after.addAll(lifelike.present(now.plusSeconds(second + 1)));
        }

        double expected = LifelikeClicks.rate(now) * 20 * 60;
        // Midnight begins or ends a weekend.
        if (!text.contains("T23:59") && !text.contains("T00:00")) {
            assertThat((double) before).isCloseTo(expected, Percentage.withPercentage(20));
        }
        assertThat((double) after.size()).isCloseTo(expected, Percentage.withPercentage(20));
        assertThat(after).extracting(Click::time).isSorted()
                .allSatisfy(time -> assertThat(time).isBetween(now, now.plus(Duration.ofMinutes(20))));
        assertThat(after).allSatisfy(click -> assertThat(click.count()).isOne());
    }

    @Test
    void theLastMinuteAndTheFirstSecondsShareTheirMinute() {
        LifelikeClicks lifelike = new LifelikeClicks(Seeds.random(seed), NOW);
        Instant minute = NOW.truncatedTo(ChronoUnit.MINUTES);

        double last = lifelike.past().filter(click -> !click.time().isBefore(minute)).mapToLong(Click::count).sum();

        // 32 of its 60 seconds; six standard deviations
        double expected = LifelikeClicks.rate(NOW) * 32;
        assertThat(last).isCloseTo(expected, within(6 * Math.sqrt(expected)));
    }

    @Test
    void aLongPauseIsNotMadeUpFor() {
        LifelikeClicks lifelike = new LifelikeClicks(Seeds.random(seed), NOW);

        List<Click> clicks = lifelike.present(NOW.plus(DAY));

        assertThat(clicks).isNotEmpty().hasSizeLessThan(10_000).extracting(Click::time)
                .allSatisfy(time -> assertThat(time).isAfterOrEqualTo(NOW.plus(DAY).minus(Duration.ofMinutes(10))));
        assertThat(lifelike.present(NOW.plus(DAY))).isEmpty();
        assertThat(lifelike.present(NOW)).as("a clock set back").isEmpty();
    }

    private static List<Click> past(long seed, Instant now) {
        return new LifelikeClicks(Seeds.random(seed), now).past().toList();
    }

    private static Instant at(LocalDate date, int hour) {
        return date.atTime(hour, 0).toInstant(ZoneOffset.UTC);
    }

    private static Map<Instant, Long> sums(List<Click> clicks, Duration length) {
        Map<Instant, Long> sums = new TreeMap<>();
        for (Click click : clicks) {
            long start = click.time().getEpochSecond() / length.toSeconds() * length.toSeconds();
            sums.merge(Instant.ofEpochSecond(start), (long) click.count(), Long::sum);
        }
        return sums;
    }
}
