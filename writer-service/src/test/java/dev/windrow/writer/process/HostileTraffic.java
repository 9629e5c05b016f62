package dev.windrow.writer.process;

import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import dev.windrow.writer.testing.Gzip;

/** Messages that take as much time or memory as messages can, and none of which can be counted. */
final class HostileTraffic {

    private static final Map<String, String> PACKED = Map.of("content-encoding", "gzip");
    private static final int UNPACKED_LIMIT = 16 * 1_024 * 1_024;
    private static final int LARGE = 120_000;
    /** As many different parts as fit into a message once they are packed. */
    private static final int DIFFERENT = 60_000;

    private final List<Hostile> all;

    /**
     * A message.
     *
     * @param letters how many dead letters it becomes
     * @param reason the reason of each
     */
    record Hostile(String body, Map<String, String> attributes, int letters, String reason) {
    }

    HostileTraffic(RandomGenerator random) {
        String run = Long.toHexString(random.nextLong());
        all = List.of(
                new Hostile(repeated("[", "1,", LARGE, "1]"), Map.of(), 1, "not-an-object"),
                new Hostile(repeated("{}", "\n1", LARGE, ""), Map.of(), 1, "missing-field"),
                new Hostile(repeated("", "[", 2 * LARGE, ""), Map.of(), 1, "not-json"),
                new Hostile(repeated("", "<\u00e4>", LARGE / 2, ""), Map.of(), 1, "not-json"),
                new Hostile(repeated("[", "\"" + "x".repeat(2_000) + "\",", 99, "7]"), Map.of(), 100, "not-an-object"),
                packed(repeated("[", "1,", UNPACKED_LIMIT / 2 - 2, "1]"), "not-an-object"),
                packed(repeated("", " ", UNPACKED_LIMIT + 1, ""), "invalid-envelope"),
                packed(numbered("{", "\"" + run + "%d\":1,", DIFFERENT, "\"x\":1}"), "missing-field"),
                packed(numbered("[", "{\"type\":\"click\",\"time\":1,\"attributes\":{\"referrer\":\"" + run + "%d\"}},",
                        DIFFERENT,
                        "7]"), "message-too-large"),
                packed(numbered("{\"Type\":\"Notification\",\"TopicArn\":\"t\",\"Message\":\"{}\",\"MessageAttributes\":{",
                        "\"" + run + "%d\":{\"Value\":\"x\"},", DIFFERENT, "\"x\":{}}}"), "missing-field"));
    }

    /** One of each kind. */
    List<Hostile> all() {
        return all;
    }

    private static Hostile packed(String text, String reason) {
        return new Hostile(Gzip.base64(text), PACKED, 1, reason);
    }

    private static String repeated(String begin, String part, int times, String end) {
        return begin + part.repeat(times) + end;
    }

    private static String numbered(String begin, String part, int times, String end) {
        IntFunction<String> numbered = i -> part.replace("%d", Integer.toString(i));
        return IntStream.range(0, times).mapToObj(numbered).collect(Collectors.joining("", begin, end));
    }
}
