package dev.windrow.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.Objects;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.windrow.base.Decimals;
import dev.windrow.event.Attribute;
import dev.windrow.testing.Seeds;

class MeasureTest {

    @Test
    void showsZeroBelowItsFloor() {
        Measure floored = new Measure("votes", MeasureKind.COUNT, null, true);
        assertThat(floored.shown(new BigDecimal(-3))).isEqualByComparingTo("0");
        assertThat(floored.shown(new BigDecimal(3))).isEqualByComparingTo("3");
        assertThat(new Measure("votes", MeasureKind.COUNT, null).shown(new BigDecimal(-3))).isEqualByComparingTo("-3");
    }

    @Test
    void hasAFloorOnlyIfItAddsUp() {
        assertThatThrownBy(() -> new Measure("least", MeasureKind.MIN, "bytes", true))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("floor");
    }

    @ParameterizedTest
    @CsvSource({ "51.846000000000004, 14, 51.84600000000000", "51.846000000000004, 2, 51.85", "0.125, 2, 0.12",
            "0.375, 2, 0.38",
            "-0.5, 0, 0", "1.5, 0, 2", "12, 2, 12", "1e-100, 14, 0" })
    void aSumRoundsToItsDecimals(BigDecimal number, int decimals, BigDecimal expected) {
        Measure sum = new Measure("bytes", MeasureKind.SUM, "bytes", false, decimals, false, new TreeMap<>());

        assertThat(sum.numberOf(new Attribute.Decimal(number))).isEqualByComparingTo(expected);
        assertThat(sum.numberOf(new Attribute.Text(number.toString()))).isEqualByComparingTo(expected);
    }

    @Test
    void extremesKeepAllDigits() {
        BigDecimal fine = new BigDecimal("51.846000000000004000001");

        assertThat(new Measure("least", MeasureKind.MIN, "bytes").numberOf(new Attribute.Decimal(fine))).isEqualTo(fine);
    }

    @Test
    void nothingElseIsANumber() {
        Measure sum = new Measure("bytes", MeasureKind.SUM, "bytes");

        assertThat(Stream.of(new Attribute.Text("many"), new Attribute.Text("1e130"), new Attribute.Flag(true),
                new Attribute.Nested())).allMatch(value -> sum.numberOf(value) == null);
    }

    @ParameterizedTest
    @ValueSource(ints = { 0, 2, 14 })
    void aBillionOfTheLargestValuesHaveASumThatFits(int decimals) {
        // Given
        Measure sum = new Measure("bytes", MeasureKind.SUM, "bytes", false, decimals, false, new TreeMap<>());
        BigDecimal finest = BigDecimal.ONE.movePointLeft(decimals);
        BigDecimal limit = BigDecimal.TEN.pow(29 - decimals);
        BigDecimal largest = limit.subtract(finest);

        // Then
        assertThat(sum.refusal(largest)).isNull();
        assertThat(sum.refusal(limit)).contains("at most " + (29 - decimals) + " digits before the decimal point");
        // And what rounds up to the limit is refused as well
        BigDecimal half = Objects.requireNonNull(sum.numberOf(new Attribute.Decimal(limit.subtract(finest.movePointLeft(1)))));
        assertThat(sum.refusal(half)).isNotNull();
        BigDecimal total = largest.multiply(BigDecimal.valueOf(1_000_000_000)).add(finest);
        assertThat(Decimals.fits(total)).isTrue();
        assertThat(Decimals.fits(total.negate())).isTrue();
    }

    private static final Instant EARLY = Instant.parse("2026-11-20T10:00:00Z");
    private static final Instant LATE = Instant.parse("2026-11-20T11:00:00Z");

    @ParameterizedTest
    @EnumSource
    void combiningIsCommutativeAndAssociative(MeasureKind kind) {
        RandomGenerator random = Seeds.random("combiningIsCommutativeAndAssociative " + kind);
        for (int i = 0; i < 10_000; i++) {
            MeasureValue a = value(kind, random);
            MeasureValue b = value(kind, random);
            MeasureValue c = value(kind, random);

            assertThat(kind.combine(a, b)).isEqualTo(kind.combine(b, a));
            assertThat(kind.combine(kind.combine(a, b), c)).isEqualTo(kind.combine(a, kind.combine(b, c)));
        }
    }

    @ParameterizedTest
    @EnumSource
    void allButAdditiveKindsAreIdempotent(MeasureKind kind) {
        MeasureValue value = kind.valueOf(BigDecimal.TEN, EARLY);
        assertThat(kind.combine(value, value).equals(value)).isEqualTo(!kind.isAdditive());
    }

    @Test
    void firstAndLastGoByTimeThenByValue() {
        MeasureValue early = MeasureValue.at(BigDecimal.valueOf(9), EARLY);
        MeasureValue late = MeasureValue.at(BigDecimal.valueOf(1), LATE);
        MeasureValue lateLarger = MeasureValue.at(BigDecimal.valueOf(2), LATE);

        assertThat(MeasureKind.FIRST.combine(late, early)).isEqualTo(early);
        assertThat(MeasureKind.LAST.combine(early, late)).isEqualTo(late);
        assertThat(MeasureKind.LAST.combine(late, lateLarger)).isEqualTo(lateLarger);
        assertThat(MeasureKind.FIRST.combine(late, lateLarger)).isEqualTo(late);
    }

    @ParameterizedTest
    @EnumSource
    void wordsAreReadBack(MeasureKind kind) {
        assertThat(MeasureKind.parse(kind.word())).contains(kind);
        assertThat(MeasureKind.parse(kind.name())).isEmpty();
    }

    private static MeasureValue value(MeasureKind kind, RandomGenerator random) {
        BigDecimal number = BigDecimal.valueOf(random.nextInt(-3, 4), 1);
        return kind.valueOf(number, random.nextBoolean() ? EARLY : LATE);
    }
}
