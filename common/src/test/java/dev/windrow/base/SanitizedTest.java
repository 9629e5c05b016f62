package dev.windrow.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;

import org.junit.jupiter.api.Test;

import dev.windrow.base.StructuredLogger.LoggedFailure;

class SanitizedTest {

    @Test
    void plainTextIsQuotedAndNothingElse() {
        assertThat(Sanitized.of("a b é 漢 😀")).isEqualTo("'a b é 漢 😀'");
        assertThat(Sanitized.of("")).isEqualTo("''");
        assertThat(Sanitized.of(null)).isEqualTo("'null'");
    }

    @Test
    void whatWouldBreakOrTurnALineIsShownAsEscapes() {
        assertThat(Sanitized.of("a\r\nb\tc")).isEqualTo("'a\\r\\nb\\tc'");
        assertThat(Sanitized.of("\u0085\u2028\u001b[31m\u202e\ufeff")).isEqualTo("'\\u0085\\u2028\\u001b[31m\\u202e\\ufeff'");
        assertThat(Sanitized.of("\ud83d")).isEqualTo("'\\ud83d'");
        assertThat(Sanitized.line("first\nERROR forged")).isEqualTo("first\\nERROR forged");
    }

    @Test
    void longTextIsCutAndItsLengthReported() {
        assertThat(Sanitized.of("x".repeat(5_000))).isEqualTo("'" + "x".repeat(60) + "…' (5000 characters)");
        assertThat(Sanitized.line("x".repeat(5_000))).hasSize(1_001).endsWith("…");
    }

    @Test
    void theMessageOfBadInputIsOneLine() {
        InvalidInputException failure = new InvalidInputException(Reason.INVALID_TIME, "time\n",
                "found\n" + "x".repeat(50_000));

        assertThat(failure.getMessage()).startsWith("time\\n: found\\nx").hasSizeLessThan(8_100).doesNotContain("\n");
        assertThat(failure.field()).isEqualTo("time\\n");
    }

    @Test
    void aLoggedFailureKeepsItsTracesAndNoLineOfItsMessages() {
        // Given
        Throwable failure = new IllegalStateException("outer\nERROR forged", new IllegalArgumentException("inner\r\nforged"));

        // When
        StringWriter printed = new StringWriter();
        LoggedFailure.of(failure).printStackTrace(new PrintWriter(printed, true));

        // Then
        assertThat(printed.toString().lines().toList()).first().asString()
                .isEqualTo("java.lang.IllegalStateException: outer\\nERROR forged");
        assertThat(printed.toString()).contains("Caused by: java.lang.IllegalArgumentException: inner\\r\\nforged")
                .contains("at dev.windrow.base.SanitizedTest.aLoggedFailureKeeps");
        assertThat(printed.toString().lines()).noneMatch(line -> line.startsWith("ERROR forged") || line.startsWith("forged"));
    }
}
