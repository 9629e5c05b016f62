package dev.windrow.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.random.RandomGenerator;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.windrow.testing.Seeds;

class MeasureKindTest {

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

    @Test
    void sumsAreExactDecimals() {
        MeasureValue sum = MeasureValue.of(BigDecimal.ZERO);
        for (int i = 0; i < 10; i++) {
            sum = MeasureKind.SUM.combine(sum, MeasureValue.of(new BigDecimal("0.1")));
        }
        assertThat(sum.value()).isEqualByComparingTo("1");
        MeasureValue large = MeasureValue.of(new BigDecimal("12345678901234567890123456789012345678"));
        assertThat(MeasureKind.SUM.combine(large, MeasureValue.ONE).value())
                .isEqualTo(new BigDecimal("12345678901234567890123456789012345679"));
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
