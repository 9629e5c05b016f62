package dev.windrow.gather.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import dev.windrow.dataset.DatasetsYaml;
import dev.windrow.dataset.EventTimes;
import dev.windrow.dataset.Granularity;
import dev.windrow.testing.Seeds;

class TilingTest {

    private static final List<Granularity> STORED = List.of(Granularity.MINUTE, Granularity.HOUR, Granularity.DAY,
            Granularity.WEEK, Granularity.MONTH, Granularity.YEAR, Granularity.FOREVER);

    @Test
    void aYearIsOneBucket() {
        assertThat(tiles(STORED, range("2026-01-01T00:00:00Z", "2027-01-01T00:00:00Z")))
                .containsExactly(new Tiling(Granularity.YEAR, range("2026-01-01T00:00:00Z", "2027-01-01T00:00:00Z")));
    }

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
    void allTimeStaysAllTimeWhateverIsTheFinestGranularity() {
        DatasetScope scope = DatasetScope.of(DatasetsYaml.parse("test", """
                windrow:
                  datasets:
                    clicks:
                      event-type: click
                      label: [page]
                      granularities: [month]
                      measures: {clicks: {type: count}}
                """), "clicks", "default");
        Parameters none = Parameters.of(QueryKind.TOTALS, Map.of());
        for (Granularity finest : STORED) {
            assertThat(Tiling.aligned(scope, List.of(finest), TimeRange.ALL, none)).as(finest.name())
                    .isEqualTo(TimeRange.ALL);
        }
    }

    @Test
    void allTimeIsOneTileOfTheCoarsest() {
        for (int coarsest = 1; coarsest <= STORED.size(); coarsest++) {
            List<Granularity> stored = STORED.subList(0, coarsest);

            assertThat(tiles(stored, TimeRange.ALL)).containsExactly(
                    new Tiling(stored.get(coarsest - 1), TimeRange.ALL));
        }
    }

    @Test
    void weeksDoNotServeWhereMonthsAreTheFinest() {
        assertThat(tiles(List.of(Granularity.WEEK, Granularity.MONTH), range("2026-01-01T00:00:00Z",
                "2027-01-01T00:00:00Z"))).extracting(Tiling::granularity).containsExactly(Granularity.WEEK);
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
            List<Instant> expected = events.stream()
                    .filter(event -> holds(asked, stored.get(0).floor(event))).toList();

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

    private static TimeRange range(String from, String to) {
        return new TimeRange(Instant.parse(from), Instant.parse(to));
    }
}
