package dev.windrow.gather.range;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import dev.windrow.gather.parameter.Parameters;
import dev.windrow.gather.parameter.QueryKind;
import dev.windrow.gather.parameter.QueryParameter;
import dev.windrow.gather.plan.TableFreshness;
import dev.windrow.gather.plan.Tiling;
import dev.windrow.gather.plan.TilingTest;
import dev.windrow.gather.range.SummedRange.Cover;
import dev.windrow.gather.range.SummedRange.Part;
import dev.windrow.testing.Seeds;
import dev.windrow.time.Granularity;
import dev.windrow.time.Retention;

class SummedRangeTest {

    private static final int DECLARATIONS = 100_000;
    private static final Instant NOW = Instant.parse("2026-11-25T10:00:30Z");
    private static final List<Granularity> ALL = List.of(Granularity.SECOND, Granularity.MINUTE, granularity("10-minutes"),
            Granularity.HOUR, Granularity.DAY, Granularity.WEEK, Granularity.MONTH, Granularity.YEAR, Granularity.FOREVER);
    private static final List<Granularity> STORED = List.of(Granularity.MINUTE, Granularity.HOUR, Granularity.DAY,
            Granularity.MONTH);
    private static final Horizons FORGETFUL = TilingTest.kept(NOW, "minute:2 hour:4 day:40");

    @ParameterizedTest
    @CsvSource({
            "2026-11-25T08:00:30Z, 2026-11-25T09:30:30Z, 2026-11-25T08:01:00Z, 2026-11-25T09:30:00Z",
            // The minute in progress counts as far as it has come.
            "2026-11-25T09:30:30Z, 2026-11-25T10:00:30Z, 2026-11-25T09:31:00Z, 2026-11-25T10:01:00Z",
            // Hours at the start, minutes at the end.
            "2026-11-22T10:20:00Z, 2026-11-25T09:30:00Z, 2026-11-22T11:00:00Z, 2026-11-25T09:30:00Z",
            "2026-11-19T10:20:00Z, 2026-11-20T10:20:00Z, 2026-11-20T00:00:00Z, 2026-11-20T00:00:00Z",
            "2026-11-18T10:20:00Z, 2026-11-20T10:20:00Z, 2026-11-19T00:00:00Z, 2026-11-20T00:00:00Z",
            // Begins at the horizon of days, as the next month begins later.
            "2026-10-15T10:00:30Z, 2026-11-25T10:00:30Z, 2026-10-17T00:00:00Z, 2026-11-25T10:01:00Z",
            // With a month that begins earlier than the days that are kept.
            "2026-09-15T10:00:30Z, 2026-11-25T10:00:30Z, 2026-10-01T00:00:00Z, 2026-11-25T10:01:00Z" })
    void theLargestPartThatDoesNotReachBeyondTheRangeIsSummed(Instant from, Instant to, Instant first, Instant end) {
        TimeRange requested = new TimeRange(from, to);
        if (first.equals(end)) {
            assertTooShort(requested, "day");
        } else {
            assertThat(cover(STORED, FORGETFUL).of(requested, ZoneOffset.UTC, QueryParameter.FROM).range())
                    .isEqualTo(new TimeRange(first, end));
        }
    }

    /** Neither the whole bucket nor nothing would be an answer. */
    @ParameterizedTest
    @CsvSource({ "2026-11-19T01:00:00Z, 2026-11-19T02:00:00Z, day", "2026-11-19T01:00:00Z, 2026-11-20T02:00:00Z, day",
            "2026-10-02T00:00:00Z, 2026-10-03T00:00:00Z, month", "2026-11-25T09:00:10Z, 2026-11-25T09:00:50Z, minute" })
    void aRangeWithoutAWholeBucketIsTooShort(Instant from, Instant to, String granularity) {
        assertTooShort(new TimeRange(from, to), granularity);
    }

    private static void assertTooShort(TimeRange range, String granularity) {
        assertThatThrownBy(() -> cover(STORED, FORGETFUL).of(range, ZoneOffset.UTC, QueryParameter.FROM))
                .isInstanceOfSatisfying(InvalidInputException.class,
                        error -> assertThat(error.reason()).isEqualTo(Reason.RANGE_TOO_SHORT))
                .hasMessageContaining("no whole bucket of " + granularity);
    }

    /** Otherwise it would be an error or not by the time of day. */
    @Test
    void aSpanUpToNowIsNotShorterThanABucket() {
        List<Granularity> stored = List.of(granularity("15-minutes"));
        for (Instant now = NOW; now.isBefore(NOW.plus(Duration.ofHours(1))); now = now.plusSeconds(61)) {
            Instant at = now;
            assertThatThrownBy(() -> SummedRange.of(stored, last("5m", at), Horizons.NONE))
                    .hasMessageContaining("15-minutes");
            assertThat(SummedRange.of(stored, last("15m", at), Horizons.NONE).range().isEmpty()).isFalse();
            assertThat(SummedRange.of(List.of(Granularity.DAY), last("today", at), Horizons.NONE).range())
                    .isEqualTo(new TimeRange(Granularity.DAY.floor(at), Granularity.DAY.end(Granularity.DAY.floor(at))));
        }
    }

    private static TimeParameters last(String text, Instant now) {
        return new TimeParameters(Parameters.of(QueryKind.TOTALS, Map.of("last", List.of(text))), now);
    }

    @Test
    void localMidnightsWhoseHoursHaveExpiredSayWhen() {
        ZoneId berlin = ZoneId.of("Europe/Berlin");
        TimeRange days = new TimeRange(Instant.parse("2026-11-09T23:00:00Z"), Instant.parse("2026-11-12T23:00:00Z"));

        assertThatThrownBy(() -> cover(STORED, FORGETFUL).of(days, berlin, QueryParameter.FROM))
                .hasMessageContaining("buckets of hour, which have expired before 2026-11-21T11:00:00Z");
        assertThatThrownBy(() -> cover(STORED.subList(2, 3), FORGETFUL).of(days, berlin, QueryParameter.FROM))
                .hasMessageContaining("store a finer granularity");
    }

    @Test
    void aRangeThatHasExpiredAltogetherIsEmpty() {
        List<Granularity> stored = List.of(Granularity.MINUTE, Granularity.HOUR);
        TimeRange asked = new TimeRange(Instant.parse("2026-10-01T00:00:30Z"), Instant.parse("2026-10-02T00:00:30Z"));

        assertThat(cover(stored, FORGETFUL).of(asked, ZoneOffset.UTC, QueryParameter.FROM).range())
                .isEqualTo(new TimeRange(Instant.parse("2026-10-02T00:00:00Z"), Instant.parse("2026-10-02T00:00:00Z")));
    }

    @Test
    void whatIsLeftOfAnyRangeIsTiledByBucketsThatExist() {
        RandomGenerator random = Seeds.random("summed");
        int cut = 0;
        for (int i = 0; i < DECLARATIONS; i++) {
            // Given
            List<Granularity> stored = stored(random);
            Instant now = time(random, 2026);
            Horizons horizons = new Horizons(retention(stored, random), now, List.of(), List.of());
            Instant from = random.nextInt(20) == 0 ? TimeRange.ALL.from() : time(random, 2022);
            TimeRange asked = new TimeRange(from, random.nextInt(20) == 0 ? TimeRange.END
                    : TimeRange.later(from, from.plusSeconds(random.nextLong(1L << random.nextInt(4, 28)))));
            if (stored.equals(List.of(Granularity.FOREVER)) && !asked.equals(TimeRange.ALL)) {
                continue;
            }

            // When
            Part part;
            try {
                part = new Cover(stored, horizons, now).of(asked, ZoneOffset.UTC, QueryParameter.FROM);
            } catch (InvalidInputException tooShort) {
                assertThat(tooShort.reason()).isEqualTo(Reason.RANGE_TOO_SHORT);
                continue;
            }
            TimeRange range = part.range();
            List<Tiling> tiles = Tiling.of(stored, range, TableFreshness.UNKNOWN, horizons);

            // Then
            String what = stored + " " + horizons + " " + asked + " " + range + " " + tiles;
            boolean toNow = !asked.to().isBefore(now.minus(SummedRange.CLOCK_SKEW));
            assertThat(range.isEmpty() || toNow || !range.to().isAfter(asked.to())).as(what).isTrue();
            assertThat(range.isEmpty() || !range.from().isBefore(asked.from())).as(what).isTrue();
            // An open range may start before the first bucket of a coarse granularity.
            Instant next = from.equals(TimeRange.ALL.from()) && !tiles.isEmpty() ? tiles.get(0).range().from() : range.from();
            assertThat(next).as(what).isBeforeOrEqualTo(TimeRange.later(range.from(), Instant.EPOCH));
            for (Tiling tile : tiles) {
                assertThat(tile.range().from()).as(what).isEqualTo(next);
                if (!next.equals(TimeRange.ALL.from())) {
                    assertThat(tile.granularity().isStart(next)).as(what).isTrue();
                    assertThat(next).as(what).isAfterOrEqualTo(horizons.of(tile.granularity()));
                }
                next = tile.range().to();
            }
            assertThat(tiles.isEmpty() || next.equals(range.to())).as(what).isTrue();
            assertThat(tiles.isEmpty()).as(what)
                    .isEqualTo(range.isEmpty() || !range.to().isAfter(part.first().floor(Instant.EPOCH)));
            cut += range.equals(asked.alignedTo(stored.get(0))) ? 0 : 1;
        }
        assertThat(cut).isGreaterThan(DECLARATIONS / 10);
    }

    private static Cover cover(List<Granularity> stored, Horizons horizons) {
        return new Cover(stored, horizons, NOW);
    }

    /** Two of five declarations have no day, so that weeks nest in nothing. */
    private static List<Granularity> stored(RandomGenerator random) {
        List<Granularity> stored = new ArrayList<>(ALL);
        stored.removeIf(any -> random.nextInt(2) == 0);
        return stored.isEmpty() ? List.of(Granularity.DAY) : stored;
    }

    private static Retention retention(List<Granularity> stored, RandomGenerator random) {
        SortedMap<Granularity, Duration> kept = new TreeMap<>();
        Duration before = Duration.ofDays(2);
        for (Granularity granularity : stored) {
            if (granularity.equals(Granularity.FOREVER) || random.nextInt(4) == 0) {
                break;
            }
            Duration least = Retention.least(granularity);
            before = (before.compareTo(least) > 0 ? before : least)
                    .plusSeconds(random.nextInt(2) * random.nextLong(1L << random.nextInt(1, 26)));
            kept.put(granularity, before);
        }
        return new Retention(kept);
    }

    private static Instant time(RandomGenerator random, int year) {
        return Instant.parse(year + "-01-01T00:00:00Z").plusSeconds(random.nextLong(365 * 86_400L))
                .plusNanos(random.nextInt(2));
    }

    private static Granularity granularity(String name) {
        return Granularity.parse(name).orElseThrow();
    }
}
