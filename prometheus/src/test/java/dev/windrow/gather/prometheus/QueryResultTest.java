package dev.windrow.gather.prometheus;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.time.Instant;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.windrow.gather.prometheus.Expression.Literal;

class QueryResultTest {

    private static final ObjectMapper JSON = new ObjectMapper();

    @ParameterizedTest
    @CsvSource({ "-1.50, -1.5", "0E+7, 0", "1E+20, 100000000000000000000", "3E+290, 3E+290", "-1.20E-290, -1.2E-290",
            "12345678901234567890123456789012345.678, 12345678901234567890123456789012345.678" })
    void usualNumbersArePlainAndLongOnesHaveAnExponent(String number, String text) throws JsonProcessingException {
        assertThat(written(new BigDecimal(number))).isEqualTo(answer(text));
    }

    @Test
    void digitsAreThoseOfStoredNumbers() throws JsonProcessingException {
        assertThat(written(new BigDecimal("0." + "1".repeat(76)))).isEqualTo(answer("0." + "1".repeat(38)));
        assertThat(written(new BigDecimal("9".repeat(76)))).isEqualTo(answer("1E+76"));
    }

    private static String written(BigDecimal number) throws JsonProcessingException {
        return JSON.writeValueAsString(
                QueryResult.of(QueryResult.Type.VECTOR, EvaluationTimes.at(Instant.EPOCH), new Literal(number)));
    }

    private static String answer(String value) {
        return "{\"resultType\":\"scalar\",\"result\":[0,\"" + value + "\"]}";
    }
}
