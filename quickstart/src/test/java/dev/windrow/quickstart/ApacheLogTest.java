package dev.windrow.quickstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.nio.file.Path;
import java.time.Instant;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ApacheLogTest {

    static Stream<Arguments> clicks() {
        return Stream.of(
                arguments("192.0.2.7 - frank [20/Nov/2026:11:31:32 +0100] \"GET /a?b=c HTTP/1.1\" 200 5120 "
                        + "\"https://example.org/x y\" \"Agent/1.0 (\\\"quoted\\\")\"",
                        click("2026-11-20T10:31:32Z", "https://example.org/x y", "/a", 5_120L)),
                // Dashes mean no bytes, and the referrer "-".
                arguments("::1 - - [01/Jan/2026:00:00:00 +0000] \"-\" 408 - \"-\" \"-\"",
                        click("2026-01-01T00:00:00Z", "-", "-", null)),
                // The common format has no referrer.
                arguments("199.72.81.55 - - [01/Jul/1995:00:00:01 -0400] \"GET /history/apollo/ HTTP/1.0\" 200 6245",
                        click("1995-07-01T04:00:01Z", "-", "/history/apollo/", 6_245L)),
                // It is cut off in the agent.
                arguments("192.0.2.7 - - [20/Nov/2026:10:31:32 +0000] \"GET / HTTP/1.1\" 200 1 \"-\" \"Agent (cut",
                        click("2026-11-20T10:31:32Z", "-", "/", 1L)),
                // Escapes stay as the log writes them.
                arguments("h - - [20/Nov/2026:10:31:32 +0000] \"GET /\\\"x\\\" HTTP/1.1\" 200 1 \"http://a/\\\"b\" \"c\"",
                        click("2026-11-20T10:31:32Z", "http://a/\\\"b", "/\\\"x\\\"", 1L)),
                // The earliest time and the largest size.
                arguments("h - - [01/Jan/1970:00:00:00 +0000] \"GET / HTTP/1.1\" 200 999999999999999 \"-\" \"-\"",
                        click("1970-01-01T00:00:00Z", "-", "/", 999_999_999_999_999L)));
    }

    @ParameterizedTest
    @MethodSource("clicks")
    void aLineIsReadIntoItsFields(String line, Click click) {
        assertThat(ApacheLog.parse(line)).contains(click);
    }

    private static Click click(String time, String referrer, String page, @Nullable Long bytes) {
        return new Click(Instant.parse(time), referrer, page, "-", 1, bytes);
    }

    /** The last three are no events: the writer would make dead letters of them, and the totals would differ. */
    @ParameterizedTest
    @ValueSource(strings = { "", "not a log line", "h - - [yesterday] \"GET / HTTP/1.1\" 200 1 \"-\" \"-\"",
            "h - - [31/Feb/2026:25:00:00 +0000] \"GET / HTTP/1.1\" 200 1 \"-\" \"-\"",
            "h - - [20/Nov/2026:10:31:32 +0000] \"GET / HTTP/1.1\" 200 -1 \"-\" \"-\"",
            "h - - [01/Jul/1995:00:00:01 -0400] \"GET / HTTP/1.0\" 304 0 \"http://cut off",
            "h - - [31/Dec/1969:23:59:59 +0000] \"GET / HTTP/1.1\" 200 1 \"-\" \"-\"",
            "h - - [20/Nov/+12026:10:31:32 +0000] \"GET / HTTP/1.1\" 200 1 \"-\" \"-\"",
            "h - - [20/Nov/2026:10:31:32 +0000] \"GET / HTTP/1.1\" 200 1000000000000000 \"-\" \"-\"" })
    void otherLinesAreNoClicks(String line) {
        assertThat(ApacheLog.parse(line)).isEmpty();
    }

    @Test
    void hostileLinesEndQuickly() {
        assertThat(ApacheLog.parse("h - - [20/Nov/2026:10:31:32 +0000] \"" + "\\\"".repeat(500_000))).isEmpty();
        assertThat(ApacheLog.parse(" ".repeat(500_000))).isEmpty();
    }

    /** 1,024 bytes less the start, four separators, the key shard, the page and the country. */
    private static final int LONGEST_REFERRER = 997;

    private final ApacheLog clicks = new ApacheLog();

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
