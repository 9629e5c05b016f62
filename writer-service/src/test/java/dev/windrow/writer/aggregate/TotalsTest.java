package dev.windrow.writer.aggregate;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

import org.junit.jupiter.api.Test;

import dev.windrow.dataset.Measure;
import dev.windrow.dataset.MeasureKind;
import dev.windrow.event.Attribute;
import dev.windrow.event.Event;
import dev.windrow.testing.Seeds;

/** Sums are exact, whatever mixture of numbers they are made of. */
class TotalsTest {

    private static final int CASES = 2_000;
    private static final List<Measure> SUM = List.of(new Measure("bytes", MeasureKind.SUM, "bytes"));

    @Test
    void sumsOfAnyNumbersInAnyPartsAreExact() {
        RandomGenerator random = Seeds.random("totals");
        for (int i = 0; i < CASES; i++) {
            BigDecimal expected = BigDecimal.ZERO;
            Totals sum = new Totals(0);
            for (int part = random.nextInt(1, 4); part > 0; part--) {
                Totals some = new Totals(0);
                for (int event = random.nextInt(1, 30); event > 0; event--) {
                    BigDecimal number = number(random);
                    expected = expected.add(number);
                    some.add(SUM, event(number));
                }
                sum.add(SUM, some);
            }

            assertThat(Objects.requireNonNull(sum.value(SUM, 0)).value()).isEqualByComparingTo(expected);
        }
    }

    @Test
    void aSumOfNothingIsAbsentAndASumOfZeroIsZero() {
        Totals none = new Totals(0);
        none.add(SUM, new Event("hit", Instant.EPOCH, null, "default", Map.of()));
        assertThat(none.value(SUM, 0)).isNull();

        none.add(SUM, event(BigDecimal.ZERO));
        assertThat(Objects.requireNonNull(none.value(SUM, 0)).value()).isEqualByComparingTo("0");
    }

    @Test
    void moreMeasuresThanALongHasBitsAreAllSummed() {
        List<Measure> many = new ArrayList<>(Collections.nCopies(100, SUM.get(0)));
        Totals sum = new Totals(0);
        sum.add(many, event(BigDecimal.TEN));
        sum.add(many, event(BigDecimal.ONE));

        for (int i = 0; i < 100; i++) {
            assertThat(Objects.requireNonNull(sum.value(many, i)).value()).isEqualByComparingTo("11");
        }
    }

    @Test
    void startsAreKeptInOrderOfTimeWhateverOrderTheyComeIn() {
        RandomGenerator random = Seeds.random("totals by start");
        List<Totals> byStart = new ArrayList<>();
        TreeMap<Long, Totals> expected = new TreeMap<>();
        for (int i = 0; i < CASES; i++) {
            long start = random.nextInt(200);
            Totals totals = Totals.at(byStart, start);
            assertThat(expected.computeIfAbsent(start, key -> totals)).isSameAs(totals);
        }

        assertThat(byStart).containsExactlyElementsOf(expected.values());
    }

    private static Event event(BigDecimal number) {
        return new Event("hit", Instant.EPOCH, null, "default", Map.of("bytes", new Attribute.Decimal(number)));
    }

    private static BigDecimal number(RandomGenerator random) {
        return switch (random.nextInt(4)) {
            case 0 -> BigDecimal.valueOf(random.nextLong());
            case 1 -> BigDecimal.valueOf(random.nextInt());
            case 2 -> BigDecimal.valueOf(random.nextInt(), random.nextInt(-5, 10));
            default -> new BigDecimal(new BigInteger(100, new java.util.Random(random.nextLong())));
        };
    }
}
