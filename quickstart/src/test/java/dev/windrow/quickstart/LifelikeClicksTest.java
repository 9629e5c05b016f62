package dev.windrow.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

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

    private static Map<Instant, Long> sums(List<Click> clicks, Duration length) {
        Map<Instant, Long> sums = new TreeMap<>();
        for (Click click : clicks) {
            long start = click.time().getEpochSecond() / length.toSeconds() * length.toSeconds();
            sums.merge(Instant.ofEpochSecond(start), (long) click.count(), Long::sum);
        }
        return sums;
    }
}
