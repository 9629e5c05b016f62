package dev.windrow.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BadLinesTest {

    @Test
    void theFirstLinesAreNamedInOrderAndTheOthersCounted() {
        BadLines bad = new BadLines();

        for (long number = 100; number >= 1; number--) {
            bad.add(number, "bad");
        }

        assertThat(bad.count()).isEqualTo(100);
        assertThat(bad.sentences(1_100)).hasSize(BadLines.KEPT + 1).startsWith("line 1: bad", "line 2: bad")
                .endsWith("line 20: bad", "and 1,080 more");
    }
}
