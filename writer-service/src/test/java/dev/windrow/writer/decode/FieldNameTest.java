package dev.windrow.writer.decode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.windrow.writer.decode.FastEventParser.FieldName;

class FieldNameTest {

    @ParameterizedTest
    @ValueSource(strings = { "", "i", "time", "types", "tenant", "attributes", "a-name-of-13", "a-name-of-14b",
            "a-name-of-fourteen", "a-name-that-is-longer-than-sixteen-bytes", "größe" })
    void isFoundWhereItIsAndNowhereElse(String name) {
        // Given
        FieldName field = new FieldName(name);
        byte[] token = ('"' + name + "\":").getBytes(UTF_8);

        for (int behind = 0; behind < 20; behind++) {
            byte[] text = (" " + new String(token, UTF_8) + "x".repeat(behind)).getBytes(UTF_8);

            // Then
            assertThat(field.isAt(text, 1, text.length)).isTrue();
            assertThat(field.isAt(text, 1, token.length)).as("cut off").isFalse();
            for (int at = 0; at < token.length; at++) {
                byte[] other = text.clone();
                other[1 + at] ^= 1;
                assertThat(field.isAt(other, 1, other.length)).as("another byte %d", at).isFalse();
            }
        }
    }
}
