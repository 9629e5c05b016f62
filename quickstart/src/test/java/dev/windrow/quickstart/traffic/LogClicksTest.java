package dev.windrow.quickstart.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNoException;

import java.nio.file.Path;

import org.junit.jupiter.api.Test;

class LogClicksTest {

    /** 1,024 bytes less the start, four separators, the key shard, the page and the country. */
    private static final int LONGEST_REFERRER = 997;

    private final LogClicks clicks = new LogClicks();

    @Test
    void aReferrerThatJustFitsIntoAKeyIsAClick() {
        String referrer = "x".repeat(LONGEST_REFERRER);

        assertThat(clicks.of(line(referrer))).get().extracting(Click::referrer).isEqualTo(referrer);

        assertThat(clicks.leftOut()).isEmpty();
    }

    @Test
    void aReferrerThatNoKeyHoldsIsLeftOutAndCounted() {
        assertThat(clicks.of(line("x".repeat(LONGEST_REFERRER + 1)))).isEmpty();
        // What a key escapes, and what is not ASCII, has two bytes.
        assertThat(clicks.of(line(" ".repeat(LONGEST_REFERRER / 2 + 1)))).isEmpty();
        assertThat(clicks.of(line("\u00e4".repeat(LONGEST_REFERRER / 2 + 1)))).isEmpty();

        assertThat(clicks.leftOut())
                .containsExactly("3 lines have a referrer and a page that are too long for a key and were left out");
    }

    @Test
    void unreadableLinesAreLeftOutAndCounted() {
        assertThat(clicks.of("not a log line")).isEmpty();
        assertThat(clicks.of(line("-"))).isPresent();
        assertThat(clicks.of("")).isEmpty();

        assertThat(clicks.leftOut()).containsExactly("2 lines are no lines of a combined or common log and were left out");
    }

    @Test
    void aLogWithoutAClickIsRefused() {
        clicks.of("not a log line");
        clicks.of(line("x".repeat(LONGEST_REFERRER + 1)));

        assertThatIllegalArgumentException().isThrownBy(() -> clicks.requireAny(Path.of("my.log")))
                .withMessage("-Dlog=my.log: no line of an Apache combined or common log that can be counted");

        clicks.of(line("-"));
        assertThatNoException().isThrownBy(() -> clicks.requireAny(Path.of("my.log")));
    }

    private static String line(String referrer) {
        return "192.0.2.7 - - [20/Nov/2026:10:31:32 +0000] \"GET / HTTP/1.1\" 200 1 \"" + referrer + "\" \"Agent\"";
    }
}
