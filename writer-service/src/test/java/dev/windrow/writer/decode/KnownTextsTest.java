package dev.windrow.writer.decode;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.random.RandomGenerator;

import org.junit.jupiter.api.Test;

import dev.windrow.writer.testing.TestSeeds;

class KnownTextsTest {

    private static final int CASES = 100_000;

    private final KnownTexts texts = new KnownTexts();

    @Test
    void everyTextIsWhatWasReadHoweverManyShareAPlace() {
        RandomGenerator random = TestSeeds.random("known texts");
        for (int i = 0; i < CASES; i++) {
            // More texts than places; of two characters of which many have the same hash.
            char[] characters = new char[random.nextInt(1, 300)];
            for (int c = 0; c < characters.length; c++) {
                characters[c] = characters.length > 20 ? 'x' : random.nextBoolean() ? 'A' : '\u00e4';
            }
            int from = random.nextInt(characters.length);
            int length = random.nextInt(characters.length - from + 1);

            assertThat(texts.of(characters, from, length)).isEqualTo(new String(characters, from, length));
        }
    }

    @Test
    void textsWithOneHashAreToldApart() {
        assertThat("Aa").hasSameHashCodeAs("BB");
        for (int i = 0; i < 3; i++) {
            assertThat(texts.of("xAax".toCharArray(), 1, 2)).isEqualTo("Aa");
            assertThat(texts.of("xBBx".toCharArray(), 1, 2)).isEqualTo("BB");
        }
    }

    @Test
    void aTextThatComesAgainIsTheSameObject() {
        String first = texts.of("click".toCharArray(), 0, 5);

        assertThat(texts.of("a click".toCharArray(), 2, 5)).isSameAs(first);
    }
}
