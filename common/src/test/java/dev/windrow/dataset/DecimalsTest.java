package dev.windrow.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DecimalsTest {

    @ParameterizedTest
    @ValueSource(strings = { "0", "0E+2147483647", "-1.5", "12345678901234567890123456789012345678",
            "9.9999999999999999999999999999999999999E+125", "1E-130", "100000000000000000000000000000000000000000000",
            "1.0000000000000000000000000000000000000000000" })
    void numbersOfDynamoDbsPrecisionFit(String number) {
        assertThat(Decimals.fits(new BigDecimal(number))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = { "123456789012345678901234567890123456789", "1E+126", "1E-131", "1E+2147483647",
            "1E-2147483647", "0.123456789012345678901234567890123456789" })
    void othersDoNot(String number) {
        assertThat(Decimals.fits(new BigDecimal(number))).isFalse();
    }

    @Test
    void aBillionOfTheLargestSummandsHaveASumThatFits() {
        BigDecimal largest = new BigDecimal("999999999999999.99999999999999");
        BigDecimal finest = new BigDecimal("0.00000000000001");
        assertThat(Decimals.isSummand(largest)).isTrue();
        assertThat(Decimals.isSummand(largest.add(finest))).isFalse();
        assertThat(Decimals.isSummand(finest.movePointLeft(1))).isFalse();
        BigDecimal sum = largest.multiply(BigDecimal.valueOf(1_000_000_000)).add(finest);
        assertThat(Decimals.fits(sum)).isTrue();
        assertThat(Decimals.fits(sum.negate())).isTrue();
    }

    @ParameterizedTest
    @CsvSource({ "1.50, 1.5", "1.5E+3, 1500", "0.00, 0", "-0.10, -0.1", "100, 100" })
    void equalNumbersHaveOneText(String number, String text) {
        assertThat(Decimals.canonical(new BigDecimal(number))).isEqualTo(text);
    }
}
