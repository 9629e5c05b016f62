package dev.windrow.base;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;

class JsonProblemTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
            "{\"a\":NaN} | NaN is no number in JSON: leave the field out, or write null",
            "{\"a\":-Infinity} | -Infinity is no number in JSON: leave the field out, or write null",
            "{\"a\":+1} | Unexpected character ('+' (code 43)) in numeric value: JSON spec does not allow numbers to have plus signs",
            "{\"a\":[1 | Unexpected end-of-input: expected close marker for Array",
            "{\"a\":1] | Unexpected close marker ']': expected '}'", "{\"a\":1 /* c */} | JSON has no comments",
            "{\"a\":01} | Invalid numeric value: Leading zeroes not allowed",
            "{\"a\":\u20281} | found a character outside text in quotes that is not ASCII, such as U+2028 or U+00A0",
            "[{\"a\":1}\u2028,{}] | found a character outside text in quotes that is not ASCII, such as U+2028 or U+00A0" })
    void namesNoSettingsOfTheParser(String json, String problem) {
        JsonProcessingException error = catchThrowableOfType(JsonParseException.class,
                () -> new ObjectMapper().readTree(json.getBytes(UTF_8)));

        assertThat(JsonProblem.of(error.getOriginalMessage())).isEqualTo(problem);
    }

    @Test
    void leavesOutWhereALimitComesFrom() {
        assertThat(JsonProblem.of("Document nesting depth (1001) exceeds the maximum allowed (1000, from "
                + "`StreamReadConstraints.getMaxNestingDepth()`)"))
                .isEqualTo("Document nesting depth (1001) exceeds the maximum allowed (1000)");
    }
}
