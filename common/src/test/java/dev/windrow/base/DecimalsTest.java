package dev.windrow.base;

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

    @ParameterizedTest
    @ValueSource(strings = { "0", "-0", "12.5", "1e3", "1E-7", "-0.1", "123456789012345678901234567890" })
    void textThatIsANumberOfJsonIsOne(String text) {
        assertThat(Decimals.parse(text)).isEqualTo(new BigDecimal(text));
    }

    @ParameterizedTest
    @ValueSource(strings = { "", " 1", "1 ", "01", "+1", ".5", "1.", "1e", "0x1", "NaN", "Infinity", "1_000", "1,000", "\u0661",
            "1e99999999999", "12.5 kg" })
    void otherTextIsNone(String text) {
        assertThat(Decimals.parse(text)).isNull();
    }

    @Test
    void veryLongTextIsNone() {
        assertThat(Decimals.parse("1".repeat(1_000))).isNotNull();
        assertThat(Decimals.parse("1".repeat(1_001))).isNull();
    }

    @ParameterizedTest
    @CsvSource({ "1.50, 1.5", "1.5E+3, 1500", "0.00, 0", "-0.10, -0.1", "100, 100" })
    void equalNumbersHaveOneText(String number, String text) {
        assertThat(Decimals.canonical(new BigDecimal(number))).isEqualTo(text);
    }
}
