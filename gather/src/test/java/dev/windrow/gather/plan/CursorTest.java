package dev.windrow.gather.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.KeyCodec;
import dev.windrow.base.Reason;

class CursorTest {

    private static final TimeRange RANGE = new TimeRange(Instant.parse("2026-11-20T00:00:00Z"),
            Instant.parse("2026-11-21T00:00:00Z"));

    @Test
    void aCursorComesBackAsItWas() {
        Cursor cursor = new Cursor("2026-11-20T10:00:00Z#a$Sb#\uD83D\uDE00", RANGE);

        assertThat(Cursor.decoded(cursor.encoded("q"), "q")).isEqualTo(cursor);
        assertThat(cursor.encoded("q")).matches("[A-Za-z0-9_-]+");
    }

    @Test
    void theCursorOfTheLongestKeysComesBackAsItWas() {
        // Given values as long as keys may be, of characters that take the most room
        String agent = ("a".repeat(11) + " ").repeat(150) + "b".repeat(50);
        String url = "u".repeat(950);
        Cursor cursor = new Cursor(KeyCodec.encode(List.of("2026-11-20T10:00:00Z", agent, url)), RANGE);

        assertThat(Cursor.decoded(cursor.encoded("q"), "q")).isEqualTo(cursor);
    }

    @Test
    void anotherQuerysCursorIsRefused() {
        String text = new Cursor("2026-11-20T10:00:00Z#a", RANGE).encoded("q");

        assertThatThrownBy(() -> Cursor.decoded(text, "p")).isInstanceOf(InvalidInputException.class)
                .hasMessageStartingWith("cursor: expected");
    }

    @Test
    void forgedCursorsAreRefused() {
        for (String position : new String[] { "2026-11-21T00:00:00Z#a", "not a time#a", "2026-11-19T10:00:00Z#a", "" }) {
            String text = new Cursor(position, RANGE).encoded("q");

            assertThatThrownBy(() -> Cursor.decoded(text, "q")).as(position).isInstanceOf(InvalidInputException.class);
        }
        assertThatThrownBy(() -> Cursor.decoded("A".repeat(10_000), "q")).isInstanceOf(InvalidInputException.class);
    }

    @ParameterizedTest
    @CsvSource({ "-604800, 253402300800", "0, 253402300801", "0, 31556889864403199" })
    void aForgedRangeIsRefused(long from, long to) {
        TimeRange range = new TimeRange(Instant.ofEpochSecond(from), Instant.ofEpochSecond(to));
        String text = new Cursor("2026-11-20T10:00:00Z#a", range).encoded("q");

        assertThatThrownBy(() -> Cursor.decoded(text, "q")).isInstanceOfSatisfying(InvalidInputException.class,
                e -> assertThat(e.reason()).isEqualTo(Reason.INVALID_CURSOR));
    }

    @Test
    void aCursorMayHoldTheRangeOfAllTime() {
        Cursor cursor = new Cursor("2026-11-20T10:00:00Z#a", TimeRange.ALL);

        assertThat(Cursor.decoded(cursor.encoded("q"), "q")).isEqualTo(cursor);
    }
}
