package dev.windrow.writer.decode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.random.RandomGenerator;

import org.junit.jupiter.api.Test;

import dev.windrow.testing.Seeds;
import dev.windrow.writer.decode.FastEventParser.StringInterner;

class StringInternerTest {

    private static final int CASES = 100_000;

    private final StringInterner texts = new StringInterner();

    @Test
    void everyTextIsWhatWasReadHoweverManyShareAPlace() {
        RandomGenerator random = Seeds.random("known texts");
        for (int i = 0; i < CASES; i++) {
            // More texts than places, some of them longer than what is kept.
            StringBuilder text = new StringBuilder();
            for (int length = random.nextInt(300); length > 0; length--) {
                text.append(text.length() > 14 ? 'x' : random.nextBoolean() ? 'A' : '\u00e4');
            }
            byte[] utf8 = ("\u20ac" + text + "tail").getBytes(UTF_8);

            assertThat(of(utf8, 3, utf8.length - 4)).isEqualTo(text.toString());
        }
    }

    @Test
    void aTextThatComesAgainIsTheSameObject() {
        String first = of("click".getBytes(UTF_8), 0, 5);

        assertThat(of("a click".getBytes(UTF_8), 2, 7)).isSameAs(first);
    }

    /** With a hash as good as its length: many texts share a place. */
    private String of(byte[] utf8, int from, int to) {
        return texts.of(utf8, from, to, (long) (to - from) << 52);
    }
}
