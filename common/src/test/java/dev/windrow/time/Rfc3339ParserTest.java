package dev.windrow.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.windrow.testing.Seeds;

class Rfc3339ParserTest {

    private static final int CASES = 20_000;

    @Test
    void startsAreReadAsTheLibraryReadsThem() {
        RandomGenerator random = Seeds.random("startsAreReadAsTheLibraryReadsThem");
        for (int i = 0; i < CASES; i++) {
            Instant start = Instant.ofEpochSecond(random.nextLong(-604_800, EventTimes.LATEST.getEpochSecond()));
            assertThat(Rfc3339Parser.instant(start.toString())).isEqualTo(start);
        }
    }

    @Test
    void damagedStartsAreReadOrRefusedAsTheLibraryDoes() {
        RandomGenerator random = Seeds.random("damagedStartsAreReadOrRefusedAsTheLibraryDoes");
        String characters = "0123456789-:TtZz+ .\u0663";
        for (int i = 0; i < CASES; i++) {
            StringBuilder text = new StringBuilder("2024-02-29T23:59:59Z");
            for (int n = random.nextInt(1, 4); n > 0; n--) {
                text.setCharAt(random.nextInt(text.length()), characters.charAt(random.nextInt(characters.length())));
            }
            assertSameAsLibrary(text.toString());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = { "", "2026", "2026-11-20T10:31:00", "2026-11-20T24:00:00Z", "2026-11-20T24:00:01Z",
            "2016-12-31T23:59:60Z", "2026-02-29T00:00:00Z", "2026-11-20T10:31:00.5Z", "2026-11-20t10:31:00z",
            "+10000-01-01T00:00:00Z", "0000-01-01T00:00:00Z", "-001-01-01T00:00:00Z" })
    void otherTextIsReadOrRefusedAsTheLibraryDoes(String text) {
        assertSameAsLibrary(text);
    }

    private static void assertSameAsLibrary(String text) {
        assertThat(read(() -> Rfc3339Parser.instant(text))).as(text).isEqualTo(read(() -> Instant.parse(text)));
    }

    private static Optional<Instant> read(Supplier<Instant> reading) {
        try {
            return Optional.of(reading.get());
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }
}
