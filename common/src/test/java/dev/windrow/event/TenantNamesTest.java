package dev.windrow.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;

class TenantNamesTest {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

    @Test
    void everyCharacterIsTakenWhereThePatternTakesIt() {
        for (int c = 0; c <= Character.MAX_VALUE; c++) {
            String first = (char) c + "a";
            String later = "a" + (char) c;
            assertThat(TenantNames.isValid(first)).as("U+%04X first", c).isEqualTo(NAME.matcher(first).matches());
            assertThat(TenantNames.isValid(later)).as("U+%04X later", c).isEqualTo(NAME.matcher(later).matches());
        }
    }

    @Test
    void namesHaveOneToSixtyFourCharacters() {
        assertThat(TenantNames.isValid("")).isFalse();
        assertThat(TenantNames.isValid("a")).isTrue();
        assertThat(TenantNames.isValid("a".repeat(64))).isTrue();
        assertThat(TenantNames.isValid("a".repeat(65))).isFalse();
    }
}
