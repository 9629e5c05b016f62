package dev.windrow.gather.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.windrow.gather.range.Horizons;
import dev.windrow.gather.range.SummedRange;
import dev.windrow.gather.range.TimeRange;
import dev.windrow.table.Freshness;
import dev.windrow.table.Watermark;
import dev.windrow.testing.Seeds;
import dev.windrow.time.EventTimes;
import dev.windrow.time.Granularity;
import dev.windrow.time.Retention;

public class TilingTest {

    private static final List<Granularity> STORED = List.of(Granularity.MINUTE, Granularity.HOUR, Granularity.DAY,
            Granularity.WEEK, Granularity.MONTH, Granularity.YEAR, Granularity.FOREVER);
    private static final Instant NOW = Instant.parse("2026-11-22T10:20:30Z");
    private static final TimeRange LAST_WEEK = range("2026-11-16T00:00:00Z", "2026-11-23T00:00:00Z");

    @Test
    void edgesAreFiner() {
        assertThat(tiles(STORED.subList(0, 3), range("2026-11-18T22:58:30Z", "2026-11-20T01:01:00Z")))
                .containsExactly(
                        new Tiling(Granularity.MINUTE, range("2026-11-18T22:59:00Z", "2026-11-18T23:00:00Z")),
                        new Tiling(Granularity.HOUR, range("2026-11-18T23:00:00Z", "2026-11-19T00:00:00Z")),
                        new Tiling(Granularity.DAY, range("2026-11-19T00:00:00Z", "2026-11-20T00:00:00Z")),
                        new Tiling(Granularity.HOUR, range("2026-11-20T00:00:00Z", "2026-11-20T01:00:00Z")),
                        new Tiling(Granularity.MINUTE, range("2026-11-20T01:00:00Z", "2026-11-20T01:01:00Z")));
    }

    @Test
    void allTimeIsOneTileOfTheCoarsest() {
        for (int coarsest = 1; coarsest <= STORED.size(); coarsest++) {
            List<Granularity> stored = STORED.subList(0, coarsest);

            assertThat(tiles(stored, TimeRange.ALL)).containsExactly(new Tiling(stored.get(coarsest - 1), TimeRange.ALL));
        }
    }

    /** The all-time bucket does not expire with the finer ones that it could be summed up from. */
    @Test
    void allTimeIsReadFromItsBucketWhatElseHasExpired() {
        // Given
        List<Granularity> stored = List.of(Granularity.SECOND, Granularity.DAY, Granularity.FOREVER);
        Horizons horizons = kept(NOW, "second:8 day:8");

        // When
        TimeRange aligned = TimeRange.ALL.alignedTo(Granularity.FOREVER);

        // Then
        assertThat(Tiling.of(stored, aligned, TableFreshness.UNKNOWN, horizons))
                .containsExactly(new Tiling(Granularity.FOREVER, TimeRange.ALL));
    }

    /** Months and weeks do not nest in each other, so a range is tiled by those at whose bounds it begins and ends. */
    @Test
    void aYearIsTiledByMonthsAndASeriesOfWeeksByWeeks() {
        List<Granularity> stored = List.of(Granularity.WEEK, Granularity.MONTH);

        assertThat(tiles(stored, range("2026-01-01T00:00:00Z", "2027-01-01T00:00:00Z")))
                .extracting(Tiling::granularity).containsExactly(Granularity.MONTH);
        assertThat(tiles(stored, range("2026-01-05T00:00:00Z", "2026-12-28T00:00:00Z")))
                .extracting(Tiling::granularity).containsExactly(Granularity.WEEK);
    }

    /** The first week begins before the earliest event, and the last buckets end after the latest. */
    @Test
    void tilesHoldTheEventsOfTheRangeAlsoAtTheEndsOfTime() {
        long seed = Seeds.seed("tiling");
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 5_000; round++) {
            List<Granularity> stored = new ArrayList<>(STORED);
            stored.removeIf(granularity -> random.nextInt(3) == 0);
            if (stored.isEmpty() || stored.get(0).equals(Granularity.FOREVER)) {
                continue;
            }
            List<Instant> events = Stream.generate(() -> nearAnEnd(random)).limit(30).toList();
            Instant a = bound(events, random);
            Instant b = bound(events, random);
            TimeRange asked = new TimeRange(TimeRange.earlier(a, b), TimeRange.later(a, b));
            boolean exact = SummedRange.isExact(stored, asked, Horizons.NONE);
            List<Instant> expected = events.stream()
                    .filter(event -> holds(asked, exact ? event : stored.get(0).floor(event))).toList();

            List<Tiling> tiles = tiles(stored, asked);

            assertThat(events.stream().filter(event -> tiles.stream()
                    .filter(tile -> holds(tile.range(), tile.granularity().floor(event))).count() == 1))
                    .as("seed %d: %s of %s", seed, asked, stored).containsExactlyElementsOf(expected);
            assertThat(tiles.stream().filter(tile -> tile.range().isEmpty())).as("seed %d", seed).isEmpty();
        }
    }

    private static List<Tiling> tiles(List<Granularity> stored, TimeRange range) {
        return Tiling.of(stored, range, TableFreshness.UNKNOWN, Horizons.NONE);
    }

    private static Instant nearAnEnd(SplittableRandom random) {
        long far = random.nextLong(random.nextBoolean() ? 10 * 86_400L : 800 * 86_400L);
        return random.nextBoolean() ? EventTimes.EARLIEST.plusSeconds(far) : EventTimes.LATEST.minusSeconds(far);
    }

    private static Instant bound(List<Instant> events, SplittableRandom random) {
        Instant event = events.get(random.nextInt(events.size()));
        return switch (random.nextInt(6)) {
            case 0 -> TimeRange.ALL.from();
            case 1 -> EventTimes.EARLIEST;
            case 2 -> TimeRange.END;
            case 3 -> EventTimes.LATEST;
            case 4 -> STORED.get(random.nextInt(STORED.size())).floor(event);
            default -> event;
        };
    }

    private static boolean holds(TimeRange range, Instant start) {
        return !start.isBefore(range.from()) && start.isBefore(range.to());
    }

    @Test
    void aSteadyStreamIsReadFromDaysThenHoursThenMinutes() {
        TableFreshness freshness = lanes(lag("minute", "2026-11-22T10:20:00Z", 1), lag("hour", "2026-11-22T10:00:00Z", 25),
                lag("day", "2026-11-22T00:00:00Z", 290));

        assertThat(Tiling.of(STORED.subList(0, 3), LAST_WEEK, freshness, Horizons.NONE)).containsExactly(
                new Tiling(Granularity.DAY, range("2026-11-16T00:00:00Z", "2026-11-22T00:00:00Z")),
                new Tiling(Granularity.HOUR, range("2026-11-22T00:00:00Z", "2026-11-22T10:00:00Z")),
                new Tiling(Granularity.MINUTE, range("2026-11-22T10:00:00Z", "2026-11-23T00:00:00Z")));
    }

    /** Last week's minutes have expired, today's have not. */
    @Test
    void finerBucketsAreReadWhereAllOfThemStillExist() {
        TableFreshness freshness = lanes(lag("minute", "2026-11-22T10:20:00Z", 1), lag("hour", "2026-11-22T10:00:00Z", 25),
                lag("day", "2026-11-20T00:00:00Z", 290));
        Horizons horizons = kept(NOW, "minute:2 hour:4 day:10");

        assertThat(Tiling.of(STORED.subList(0, 3), LAST_WEEK, freshness, horizons)).containsExactly(
                new Tiling(Granularity.DAY, range("2026-11-16T00:00:00Z", "2026-11-20T00:00:00Z")),
                new Tiling(Granularity.HOUR, range("2026-11-20T00:00:00Z", "2026-11-22T10:00:00Z")),
                new Tiling(Granularity.MINUTE, range("2026-11-22T10:00:00Z", "2026-11-23T00:00:00Z")));
        assertThat(Tiling.of(STORED.subList(0, 3), LAST_WEEK, freshness, kept(NOW, "minute:2 hour:2 day:10")))
                .containsExactly(new Tiling(Granularity.DAY, LAST_WEEK));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "they end before the lag     | minute hour day | 2026-11-22T00:00:00Z | day 2026-11-22T00:00:00Z 290",
            "there are no finer ones     | day             | 2026-11-23T00:00:00Z | day 2026-11-22T00:00:00Z 290",
            "the finer ones lag more     | minute hour     | 2026-11-23T00:00:00Z | minute 2026-11-22T10:20:00Z 31, "
                    + "hour 2026-11-22T10:00:00Z 30",
    })
    void coarseBucketsAreReadWhere(String why, String stored, String end, String lags) {
        List<Granularity> granularities = Arrays.stream(stored.split(" ", -1))
                .map(name -> Granularity.parse(name).orElseThrow()).toList();
        TimeRange range = range("2026-11-16T00:00:00Z", end);
        TableFreshness freshness = lanes(Arrays.stream(lags.split(", ", -1)).map(lag -> lag.split(" ", -1))
                .map(lag -> lag(lag[0], lag[1], Long.parseLong(lag[2]))).toArray(Watermark[]::new));

        assertThat(Tiling.of(granularities, range, freshness, Horizons.NONE)).as(why)
                .containsExactly(new Tiling(granularities.get(granularities.size() - 1), range));
    }

    /**
     * A killed writer leaves finer buckets with events that coarser ones lack, though its lane shows the same for both. A sum
     * must not switch to the coarser ones as soon as they are complete: it would fall.
     */
    @Test
    void aRangeThatGrowsGoesOnToReadTheFinerBucketsThatItHasRead() {
        TableFreshness freshness = lanes(lag("minute", "2026-11-22T10:20:00Z", 30), lag("hour", "2026-11-22T10:00:00Z", 30),
                lag("day", "2026-11-22T00:00:00Z", 30));
        List<Granularity> stored = STORED.subList(0, 3);
        Instant lagging = Instant.parse("2026-11-22T10:00:00Z");

        for (String end : List.of("2026-11-22T10:59:00Z", "2026-11-22T11:00:00Z", "2026-11-22T11:01:00Z",
                "2026-11-22T23:59:00Z", "2026-11-23T00:00:00Z")) {
            List<Tiling> tiles = Tiling.of(stored, range("2026-11-16T00:00:00Z", end), freshness, Horizons.NONE);

            assertThat(tiles).allMatch(tile -> tile.granularity().equals(Granularity.MINUTE)
                    || !tile.range().to().isAfter(lagging));
        }
    }

    @Test
    void anImportOfOldEventsDoesNotTurnDaysOfAYearIntoMinutes() {
        TableFreshness freshness = lanes(lag("minute", "2026-01-01T00:00:00Z", 1), lag("day", "2026-01-01T00:00:00Z", 290));
        TimeRange year = range("2026-01-01T00:00:00Z", "2027-01-01T00:00:00Z");

        assertThat(Tiling.of(List.of(Granularity.MINUTE, Granularity.DAY), year, freshness, Horizons.NONE))
                .containsExactly(new Tiling(Granularity.DAY, year));
        assertThat(Tiling.of(List.of(Granularity.HOUR, Granularity.DAY), range("2026-11-01T00:00:00Z",
                "2027-01-01T00:00:00Z"), freshness, Horizons.NONE)).extracting(Tiling::granularity)
                .containsExactly(Granularity.HOUR);
    }

    @Test
    void allTimeIsReadFromYearsAndWhatTheyLackFromFinerBuckets() {
        TableFreshness freshness = lanes(lag("forever", "1970-01-01T00:00:00Z", 290), lag("year", "2026-01-01T00:00:00Z", 290),
                lag("month", "2026-11-01T00:00:00Z", 290), lag("day", "2026-11-22T00:00:00Z", 290));

        assertThat(Tiling.of(List.of(Granularity.HOUR, Granularity.DAY, Granularity.MONTH, Granularity.YEAR,
                Granularity.FOREVER), TimeRange.ALL, freshness, Horizons.NONE)).extracting(Tiling::granularity)
                .containsExactly(Granularity.YEAR, Granularity.MONTH, Granularity.DAY, Granularity.HOUR);
        assertThat(Tiling.of(List.of(Granularity.HOUR, Granularity.FOREVER), TimeRange.ALL, freshness, Horizons.NONE))
                .as("hours since 1970 are too many").extracting(Tiling::granularity).containsExactly(Granularity.FOREVER);
    }

    @Test
    void everyTilingIsAsFreshAsOrFresherThanThatOfCoarseBuckets() {
        SplittableRandom random = new SplittableRandom(Seeds.seed("TilingTest"));
        int fresher = 0;
        for (int round = 0; round < 3_000; round++) {
            List<Granularity> stored = new ArrayList<>(STORED);
            stored.removeIf(granularity -> random.nextInt(3) == 0);
            if (stored.isEmpty() || stored.get(0).equals(Granularity.FOREVER)) {
                continue;
            }
            TableFreshness freshness = lanes(watermarks(random));
            Instant from = NOW.minusSeconds(random.nextLong(random.nextInt(4) == 0 ? 60_000_000 : 400_000));
            TimeRange asked = random.nextInt(9) == 0 ? TimeRange.ALL
                    : new TimeRange(from, from.plusSeconds(random.nextLong(400_000)));

            List<Tiling> tiles = Tiling.of(stored, asked, freshness, Horizons.NONE);

            List<Tiling> coarse = Tiling.of(stored, asked, TableFreshness.UNKNOWN, Horizons.NONE);
            assertCovers(coarse, tiles);
            assertThat(asOf(freshness, tiles)).isAfterOrEqualTo(asOf(freshness, coarse));
            assertThat(tiles.size()).isLessThan(6 * stored.size());
            fresher += asOf(freshness, tiles).isAfter(asOf(freshness, coarse)) ? 1 : 0;
        }
        assertThat(fresher).as("cases in which it matters").isGreaterThan(300);
    }

    /** The tiles are contiguous and aligned, and have the same start and end as expected. */
    private static void assertCovers(List<Tiling> expected, List<Tiling> tiles) {
        assertThat(tiles.isEmpty()).isEqualTo(expected.isEmpty());
        for (int i = 0; i < tiles.size(); i++) {
            TimeRange range = tiles.get(i).range();
            assertThat(range.isEmpty()).isFalse();
            Instant reached = i == 0 ? expected.get(0).range().from() : tiles.get(i - 1).range().to();
            boolean beforeAnyEvent = i == 0 && !range.from().isAfter(EventTimes.EARLIEST);
            assertThat(beforeAnyEvent ? TimeRange.earlier(range.from(), reached) : range.from()).isEqualTo(reached);
            boolean openEnds = range.from().equals(TimeRange.ALL.from()) || range.to().equals(TimeRange.END);
            assertThat(openEnds || range.alignedTo(tiles.get(i).granularity()).equals(range)).isTrue();
        }
        if (!tiles.isEmpty()) {
            assertThat(tiles.get(tiles.size() - 1).range().to()).isEqualTo(expected.get(expected.size() - 1).range().to());
        }
    }

    private static Instant asOf(TableFreshness freshness, List<Tiling> tiles) {
        return tiles.stream().map(tile -> freshness.asOf(tile.granularity(), tile.range().to()).orElseThrow())
                .reduce(NOW, TimeRange::earlier);
    }

    private static Watermark[] watermarks(SplittableRandom random) {
        return STORED.stream().filter(granularity -> random.nextInt(4) > 0).map(granularity -> new Watermark(granularity.name(),
                1, NOW.minusSeconds(random.nextLong(300)).toEpochMilli(),
                random.nextInt(20) == 0 ? Watermark.ANY_START
                        : granularity.floor(NOW.minusSeconds(random.nextLong(random.nextInt(4) == 0 ? 40_000_000 : 200_000)))
                                .getEpochSecond()))
                .toArray(Watermark[]::new);
    }

    private static TableFreshness lanes(Watermark... watermarks) {
        return new TableFreshness(Optional.of(new Freshness(NOW.toEpochMilli(), Arrays.asList(watermarks))), List.of(),
                Optional.empty());
    }

    private static Watermark lag(String granularity, String start, long seconds) {
        return new Watermark(granularity, 1, NOW.minusSeconds(seconds).toEpochMilli(), Instant.parse(start).getEpochSecond());
    }

    private static TimeRange range(String from, String to) {
        return new TimeRange(Instant.parse(from), Instant.parse(to));
    }

    /** @param days days of retention, by granularity */
    public static Horizons kept(Instant now, String days) {
        SortedMap<Granularity, Duration> kept = new TreeMap<>();
        Arrays.stream(days.split(" ", -1)).map(pair -> pair.split(":", -1)).forEach(pair -> kept
                .put(Granularity.parse(pair[0]).orElseThrow(), Duration.ofDays(Integer.parseInt(pair[1]))));
        return new Horizons(new Retention(kept), now, List.of(), List.of());
    }

    @Test
    void theBucketOfAllTimeIsInNoLaterRange() {
        assertThat(new TimeRange(Instant.parse("2026-11-20T10:00:00Z"), TimeRange.END).alignedTo(Granularity.FOREVER)
                .isEmpty()).isTrue();
    }
}
