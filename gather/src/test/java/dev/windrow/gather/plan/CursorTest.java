package dev.windrow.gather.plan;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.KeyCodec;
import dev.windrow.base.Reason;
import dev.windrow.gather.range.TimeRange;
import dev.windrow.gather.rank.RankPlace;
import dev.windrow.gather.rank.TopCursor;
import dev.windrow.table.Label;

class CursorTest {

    private static final TimeRange RANGE = new TimeRange(Instant.parse("2026-11-20T00:00:00Z"),
            Instant.parse("2026-11-21T00:00:00Z"));

    @Test
    void aCursorComesBackAsItWas() {
        // Given values of the maximum length of keys, with characters that take the most room
        String agent = ("a".repeat(11) + " ").repeat(150) + "b".repeat(50);
        String longest = KeyCodec.encode(List.of("2026-11-20T10:00:00Z", agent, "u".repeat(950)));
        for (Cursor cursor : List.of(new Cursor("2026-11-20T10:00:00Z#a$Sb#\uD83D\uDE00", RANGE), new Cursor(longest, RANGE),
                new Cursor("2026-11-20T10:00:00Z#a", TimeRange.ALL))) {
            assertThat(Cursor.decoded(cursor.encoded("q"), "q")).isEqualTo(cursor);
            assertThat(cursor.encoded("q")).matches("[A-Za-z0-9_-]+");
        }
        assertThat(TopCursor.decoded(cursor("1", TimeRange.ALL).encoded("q"), "q").range()).isEqualTo(TimeRange.ALL);
    }

    @Test
    void cursorsOfAnotherQueryAndForgedOnesAreRefused() {
        String ofAnother = new Cursor("2026-11-20T10:00:00Z#a", RANGE).encoded("p");

        assertThatThrownBy(() -> Cursor.decoded(ofAnother, "q")).isInstanceOf(InvalidInputException.class)
                .hasMessageStartingWith("cursor: expected");
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

    @ParameterizedTest
    @ValueSource(strings = { "0", "-0.5", "0.00", "12", "1E-130", "9.9999999999999999999999999999999999999E+125",
            "-1.2345678901234567890123456789012345678E-130" })
    void aCursorOfATopListComesBackUnchanged(String number) {
        TopCursor cursor = cursor(number, RANGE);

        TopCursor decoded = TopCursor.decoded(cursor.encoded("q"), "q");

        assertThat(decoded.place().number()).isEqualByComparingTo(cursor.place().number());
        assertThat(decoded.place().label()).isEqualTo(cursor.place().label());
        assertThat(decoded.range()).isEqualTo(cursor.range());
    }

    /** A few characters must not expand to a gigabyte of digits. */
    @ParameterizedTest
    @ValueSource(strings = { "1E999999999", "-1E999999999", "1E-999999999", "0E-999999999", "0E999999999", "1E126", "1e2", "",
            "-", "+1", "1.", "NaN", "123456789012345678901234567890123456789" })
    void aForgedNumberIsRefused(String number) {
        assertRefused(forged(number, "0", "3600"));
    }

    @Test
    void aForgedNumberOfAnyLengthIsRefused() {
        assertRefused(forged("0".repeat(5_000), "0", "3600"));
        assertRefused(forged("0." + "0".repeat(5_000), "0", "3600"));
        assertRefused(forged("1" + "0".repeat(126), "0", "3600"));
        assertRefused(forged("0." + "0".repeat(130) + "1", "0", "3600"));
    }

    @ParameterizedTest
    @CsvSource({ "-31557014167219200, 3600", "0, 31556889864403199", "-604800, 3600", "0, 253402300801", "3600, 0", "x, 0" })
    void aForgedRangeOfATopListIsRefused(String from, String to) {
        assertRefused(forged("1", from, to));
    }

    private static void assertRefused(String text) {
        assertThatThrownBy(() -> TopCursor.decoded(text, "q")).isInstanceOfSatisfying(InvalidInputException.class,
                e -> assertThat(e.reason()).isEqualTo(Reason.INVALID_CURSOR));
    }

    /** Uses the query's fingerprint, which is not a secret. */
    private static String forged(String number, String from, String to) {
        byte[] honest = Base64.getUrlDecoder().decode(cursor("1", RANGE).encoded("q"));
        List<String> parts = new ArrayList<>(KeyCodec.decode(new String(honest, UTF_8)));
        parts.set(2, from);
        parts.set(3, to);
        parts.set(4, number);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(KeyCodec.encode(parts).getBytes(UTF_8));
    }

    private static TopCursor cursor(String number, TimeRange range) {
        return new TopCursor(new RankPlace(new BigDecimal(number), Label.of("a#b", "")), range);
    }
}
