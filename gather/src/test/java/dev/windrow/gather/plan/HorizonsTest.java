package dev.windrow.gather.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.windrow.dataset.Granularity;
import dev.windrow.dataset.Retention;
import dev.windrow.gather.plan.Horizons.Expired;
import dev.windrow.testing.Seeds;

class HorizonsTest {

    private static final int DECLARATIONS = 100_000;
    private static final Instant NOW = Instant.parse("2026-11-25T10:00:30Z");
    private static final List<Granularity> ALL = List.of(Granularity.SECOND, Granularity.MINUTE, granularity("10-minutes"),
            Granularity.HOUR, Granularity.DAY, Granularity.WEEK, Granularity.MONTH, Granularity.YEAR, Granularity.FOREVER);
    private static final Horizons KEPT = TilingTest.kept(NOW, "minute:30 hour:400");

    @ParameterizedTest
    @CsvSource({ "minute, 2026-10-26T10:01:00Z", "hour, 2025-10-21T11:00:00Z", "day, 1969-12-29T00:00:00Z" })
    void aHorizonIsTheFirstStartThatIsKept(String granularity, Instant start) {
        assertThat(KEPT.of(granularity(granularity))).isEqualTo(start);
    }

    @ParameterizedTest
    @CsvSource({ "2026-10-26T10:00:01Z, minute", "2026-10-26T10:00:00Z, hour", "2025-10-21T10:00:01Z, hour",
            "2025-10-21T10:00:00Z, day", "1969-12-29T00:00:00Z, day" })
    void aSumIsReadFromTheFinestThatExistsAtItsStart(Instant from, String finest) {
        List<Granularity> stored = List.of(Granularity.MINUTE, Granularity.HOUR, Granularity.DAY, Granularity.FOREVER);

        assertThat(KEPT.stored(stored, new TimeRange(from, NOW)).get(0)).isEqualTo(granularity(finest));
        assertThat(KEPT.stored(stored.subList(0, 1), new TimeRange(from, NOW))).containsExactly(Granularity.MINUTE);
    }

    /** For a bounded range, the all-time bucket would be more than requested. */
    @Test
    void theBucketOfAllTimeIsReadForAllTimeOnly() {
        List<Granularity> stored = List.of(Granularity.MINUTE, Granularity.FOREVER);

        assertThat(KEPT.stored(stored, TimeRange.ALL)).containsExactly(Granularity.FOREVER);
        assertThat(KEPT.stored(stored, new TimeRange(TimeRange.ALL.from(), NOW)).get(0)).isEqualTo(Granularity.MINUTE);
        assertThat(KEPT.cut(Granularity.MINUTE, new TimeRange(TimeRange.ALL.from(), NOW)).from())
                .isEqualTo("2026-10-26T10:01:00Z");
    }

    @Test
    void whatExpiredIsNamedOnce() {
        Horizons noted = KEPT.noting(Granularity.MINUTE).noting(Granularity.MINUTE);

        assertThat(noted.expired())
                .containsExactly(new Expired(Granularity.MINUTE, Instant.parse("2026-10-26T10:01:00Z")));
    }

    /** Both bounds are moved up once, to one granularity, so weeks and months tile the rest as well. */
    @Test
    void whatIsLeftOfAnyRangeIsTiledByBucketsThatExist() {
        RandomGenerator random = Seeds.random("horizons");
        int cut = 0;
        for (int i = 0; i < DECLARATIONS; i++) {
            // Given
            List<Granularity> stored = stored(random);
            Horizons horizons = new Horizons(retention(stored, random), time(random, 2026), List.of());
            Instant from = random.nextInt(20) == 0 ? TimeRange.ALL.from() : time(random, 2022);
            TimeRange asked = new TimeRange(from, random.nextInt(20) == 0 ? TimeRange.END
                    : TimeRange.later(from, from.plusSeconds(random.nextLong(1L << random.nextInt(4, 28)))));
            List<Granularity> existing = horizons.stored(stored, asked);
            Granularity finest = existing.get(0);
            if (finest.equals(Granularity.FOREVER) && !asked.equals(TimeRange.ALL)) {
                continue;
            }

            // When
            TimeRange range = horizons.cut(finest, Tiling.alignedButOpen(asked, finest));
            List<Tiling> tiles = Tiling.of(stored, range, TableFreshness.UNKNOWN, horizons);

            // Then
            String what = stored + " " + horizons + " " + asked + " " + range;
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
            assertThat(tiles.isEmpty()).as(what).isEqualTo(range.isEmpty() || !range.to().isAfter(finest.floor(Instant.EPOCH)));
            cut += range.equals(asked.alignedTo(stored.get(0))) ? 0 : 1;
        }
        assertThat(cut).isGreaterThan(DECLARATIONS / 10);
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
