package dev.windrow.base;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.windrow.table.HostileText;
import dev.windrow.table.Utf8Order;
import dev.windrow.testing.Seeds;

class KeyCodecTest {

    private static final int CASES = 100_000;

    @Test
    void goldenValuesStayAsTheyAre() {
        assertThat(KeyCodec.encode(List.of("default", "clicks", "https://example.org/?q=1&p=2", "0")))
                .isEqualTo("default#clicks#https://example.org/?q=1&p=2#0");
        assertThat(KeyCodec.encode(List.of("a#b", "c d", "$", "!", "\"", "\u0000")))
                .isEqualTo("a$Sb#c$Pd#$T#$Q#$R#$0");
        assertThat(KeyCodec.encode(List.of("", "", ""))).isEqualTo("##");
        assertThat(KeyCodec.encode(List.of("é", "中", "\ud83d\ude00"))).isEqualTo("é#中#\ud83d\ude00");
    }

    @Test
    void decodesWhatItEncoded() {
        RandomGenerator random = Seeds.random("decodesWhatItEncoded");
        for (int i = 0; i < CASES; i++) {
            List<String> parts = HostileText.parts(random);
            assertThat(KeyCodec.decode(KeyCodec.encode(parts))).isEqualTo(parts);
        }
    }

    @Test
    void keysSortInUtf8AsTheirPartsDo() {
        RandomGenerator random = Seeds.random("keysSortInUtf8AsTheirPartsDo");
        for (int i = 0; i < CASES; i++) {
            List<String> a = HostileText.parts(random);
            List<String> b = HostileText.parts(random);
            int expected = Integer.signum(compareParts(a, b));
            String keyA = KeyCodec.encode(a);
            String keyB = KeyCodec.encode(b);
            assertThat(Integer.signum(compareUtf8(keyA, keyB))).as("%s and %s", a, b).isEqualTo(expected);
            assertThat(Integer.signum(Utf8Order.ASCENDING.compare(keyA, keyB))).as("%s and %s", a, b).isEqualTo(expected);
        }
    }

    @Test
    void utf8LengthIsThatOfTheEncodedBytes() {
        RandomGenerator random = Seeds.random("utf8LengthIsThatOfTheEncodedBytes");
        for (int i = 0; i < CASES; i++) {
            String text = HostileText.part(random);
            assertThat(KeyCodec.utf8Length("text", text)).isEqualTo(text.getBytes(UTF_8).length);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = { "\ud800", "\udc00", "a\ud800b", "\udc00\ud800", "\ud800\ud800\udc00" })
    void unpairedSurrogatesAreAnError(String text) {
        assertThatThrownBy(() -> KeyCodec.utf8Length("attributes.referrer", text))
                .isInstanceOfSatisfying(InvalidInputException.class, e -> assertThat(e.reason()).isEqualTo(Reason.INVALID_TEXT))
                .hasMessageStartingWith("attributes.referrer: ");
    }

    @ParameterizedTest
    @ValueSource(strings = { "a b", "a$", "a$/", "a$U", "$", "\u0000" })
    void textThatIsNoKeyIsRefused(String text) {
        assertThatThrownBy(() -> KeyCodec.decode(text)).isInstanceOf(IllegalArgumentException.class);
    }

    private static int compareParts(List<String> a, List<String> b) {
        for (int i = 0; i < Math.min(a.size(), b.size()); i++) {
            int order = compareUtf8(a.get(i), b.get(i));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(a.size(), b.size());
    }

    private static int compareUtf8(String a, String b) {
        return Arrays.compareUnsigned(a.getBytes(UTF_8), b.getBytes(UTF_8));
    }
}
