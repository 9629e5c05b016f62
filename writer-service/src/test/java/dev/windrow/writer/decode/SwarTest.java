package dev.windrow.writer.decode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import java.util.random.RandomGenerator;

import org.junit.jupiter.api.Test;

import dev.windrow.testing.Seeds;
import dev.windrow.writer.decode.BodyReader.BodyKind;
import dev.windrow.writer.decode.FastEventParser.FastJsonScanner;
import dev.windrow.writer.decode.FastEventParser.Swar;

class SwarTest {

    private static final int CASES = 200_000;
    /** What ends a text or a line, and its neighbors. */
    private static final byte[] CRITICAL = { 0, 1, 0x09, 0x0a, 0x0b, 0x1f, 0x20, 0x21, 0x22, 0x23, 0x5b, 0x5c, 0x5d, 0x7f,
            (byte) 0x80, (byte) 0x8a, (byte) 0xa0, (byte) 0xa2, (byte) 0xdc, (byte) 0xff };

    @Test
    void findsTheFirstByteThatIsNotPlainOrALineFeedAsALookAtEachDoes() {
        RandomGenerator random = Seeds.random("words");
        byte[] bytes = new byte[Long.BYTES];
        for (int i = 0; i < CASES; i++) {
            random.nextBytes(bytes);
            for (int critical = random.nextInt(Long.BYTES + 1); critical > 0; critical--) {
                bytes[random.nextInt(Long.BYTES)] = CRITICAL[random.nextInt(CRITICAL.length)];
            }

            assertThat(Swar.plainBytes(Swar.at(bytes, 0))).as("%s", bytes).isEqualTo(plainBytes(bytes));
            assertThat(Swar.bytesBeforeLineFeed(Swar.at(bytes, 0))).as("%s", bytes).isEqualTo(bytesBeforeLineFeed(bytes));
        }
    }

    @Test
    void textsThatDifferInAFewDigitsAreSpread() {
        byte[] text = "\"https://referrer-000.example.org/\"".getBytes(UTF_8);
        Set<Long> places = new HashSet<>();
        for (int i = 0; i < 1_000; i++) {
            text[18] = (byte) ('0' + i / 100);
            text[19] = (byte) ('0' + i / 10 % 10);
            text[20] = (byte) ('0' + i % 10);
            FastJsonScanner json = new FastJsonScanner(text, 0);
            json.passText();
            places.add(json.hash() >>> 52);
        }

        // By chance a thousand take 887 of 4,096 places.
        assertThat(places).hasSizeGreaterThan(800);
    }

    @Test
    void aLineEndsAtItsLineFeedOrAtTheEndOfTheText() {
        for (int length = 0; length < 40; length++) {
            byte[] text = " ".repeat(length).getBytes(UTF_8);
            for (int from = 0; from <= length; from++) {
                assertThat(BodyKind.lineEnd(text, from)).as("%d of %d", from, length).isEqualTo(length);
            }
            for (int feed = 0; feed < length; feed++) {
                byte[] lines = text.clone();
                lines[feed] = '\n';
                for (int from = 0; from <= length; from++) {
                    assertThat(BodyKind.lineEnd(lines, from)).as("%d, line feed at %d of %d", from, feed, length)
                            .isEqualTo(from <= feed ? feed : length);
                }
            }
        }
    }

    private static int bytesBeforeLineFeed(byte[] bytes) {
        int before = 0;
        while (before < bytes.length && bytes[before] != '\n') {
            before++;
        }
        return before;
    }

    private static int plainBytes(byte[] bytes) {
        int plain = 0;
        while (plain < bytes.length && bytes[plain] != '"' && bytes[plain] != '\\'
                && (bytes[plain] < 0 || bytes[plain] >= ' ')) {
            plain++;
        }
        return plain;
    }
}
