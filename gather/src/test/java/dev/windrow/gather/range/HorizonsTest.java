package dev.windrow.gather.range;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.windrow.gather.plan.TilingTest;
import dev.windrow.time.Granularity;

class HorizonsTest {

    private static final Instant NOW = Instant.parse("2026-11-25T10:00:30Z");
    private static final Horizons KEPT = TilingTest.kept(NOW, "minute:30 hour:400");

    @ParameterizedTest
    @CsvSource({ "minute, 2026-10-26T10:01:00Z", "hour, 2025-10-21T11:00:00Z", "day, 1969-12-29T00:00:00Z" })
    void aHorizonIsTheFirstStartThatIsKept(String granularity, Instant start) {
        assertThat(KEPT.of(granularity(granularity))).isEqualTo(start);
    }

    @Test
    void whatExpiredIsNamedOnce() {
        Horizons noted = KEPT.noting(Granularity.MINUTE).noting(Granularity.MINUTE);

        assertThat(noted.expired())
                .containsExactly(new Expired(Granularity.MINUTE, Instant.parse("2026-10-26T10:01:00Z")));
    }

    private static Granularity granularity(String name) {
        return Granularity.parse(name).orElseThrow();
    }
}
