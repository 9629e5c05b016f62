package dev.windrow.writer;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.node.TextNode;

import dev.windrow.writer.testing.Gzip;

/**
 * Messages that are good, broken and hostile, and what must become of them: totals of the good events, and a reason for each
 * bad one. It knows what it made, and shares no code with the writer.
 */
final class FuzzedMessages {

    static final String DATASETS = """
            windrow:
              ignore-types: [heartbeat, "tick \u00e4"]
              datasets:
                clicks:
                  event-type: click
                  label: [page]
                  granularities: [day]
                  measures:
                    events: {type: count}
                    bytes: {type: sum, attribute: bytes}
                    largest: {type: max, attribute: bytes}
                orders:
                  event-type: order
                  label: [page]
                  granularities: [day]
                  measures: {events: {type: count}, bytes: {type: sum, attribute: bytes}}
                  dedupe: event-id
                recent:
                  event-type: recent
                  label: [page]
                  granularities: [forever]
                  measures: {events: {type: count}}
                  accept: {past: 1h, future: 10m}
            """;

    private static final String CLICK = click("click", "T", "\"page\":\"bad\"");
    private static final Instant DAY = Instant.parse("2026-11-20T00:00:00Z");
    private static final int PAGES = 12;
    private static final int MAX_LETTERS = 100;

    private final RandomGenerator random;
    private final Map<String, BigDecimal> counts = new TreeMap<>();
    private final Map<String, BigDecimal> sums = new TreeMap<>();
    private final Map<String, BigDecimal> maxima = new TreeMap<>();
    private final Set<String> orders = new HashSet<>();

    /**
     * A piece of JSON or what looks like it.
     *
     * @param text one line
     * @param reason why it is bad; null if it is good
     * @param count notes it as counted
     */
    private record Piece(String text, @Nullable String reason, Runnable count) {
    }

    /**
     * A dead letter that must come.
     *
     * @param event the event's position; null for the message as a whole
     */
    record Letter(@Nullable Integer event, String reason, String body) {
    }

    record Fuzzed(String body, Map<String, String> attributes, List<Letter> letters) {
    }

    /**
     * A text with its bad events, before it is wrapped.
     *
     * @param whole the reason, if nothing of it counts
     */
    private record Text(String text, List<Letter> letters, @Nullable String whole) {
    }

    FuzzedMessages(RandomGenerator random) {
        this.random = random;
    }

    Map<String, BigDecimal> counts() {
        return counts;
    }

    Map<String, BigDecimal> sums() {
        return sums;
    }

    Map<String, BigDecimal> maxima() {
        return maxima;
    }

    Fuzzed next() {
        Map<String, String> attributes = new HashMap<>();
        if (chance(8)) {
            attributes.put(pick("traceparent", "x-y.z", "Type", "content-type"), pick("1", "\u00e4\ud83d\ude00", "gzip"));
        }
        if (chance(60)) {
            attributes.put("content-encoding", pick("gzip", "br", "GZIP ", "gzip\u00e4"));
            return whole(pick("{", "????", "AAAA", "H4sIAAAAAAAA/w=="), attributes, "invalid-envelope");
        }
        Text text = text();
        for (int wraps = chance(6) ? 1 + random.nextInt(2) : 0; wraps > 0; wraps--) {
            text = new Text(notification(text.text), text.letters, text.whole);
        }
        String body = text.text;
        if (chance(6)) {
            attributes.put("content-encoding", pick("gzip", "gzip+base64"));
            body = Gzip.base64(text.text);
        }
        String came = body;
        List<Letter> letters = text.whole != null ? List.of(new Letter(null, text.whole, came))
                : text.letters.stream().map(letter -> letter.event == null ? new Letter(null, letter.reason, came) : letter)
                        .toList();
        return new Fuzzed(body, attributes, letters);
    }

    private static Fuzzed whole(String body, Map<String, String> attributes, String reason) {
        return new Fuzzed(body, attributes, List.of(new Letter(null, reason, body)));
    }

    private Text text() {
        String mark = chance(10) ? "\ufeff" : "";
        return switch (random.nextInt(8)) {
            case 0, 1 -> one(mark);
            case 2, 3 -> array(mark, pieces(random.nextInt(12)));
            case 4, 5 -> lines(mark);
            case 6 -> chance(3) ? broken() : envelope(mark);
            default -> chance(4) ? many() : array(mark, pieces(1 + random.nextInt(3)));
        };
    }

    private Text one(String mark) {
        Piece piece = chance(3) ? badObject() : good();
        if (piece.reason == null) {
            piece.count.run();
            return new Text(mark + blank() + piece.text + blank(), List.of(), null);
        }
        return new Text(mark + piece.text, List.of(), piece.reason);
    }

    private List<Piece> pieces(int count) {
        List<Piece> pieces = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            pieces.add(chance(4) ? bad() : chance(12) ? ignored() : good());
        }
        return pieces;
    }

    private Text array(String mark, List<Piece> pieces) {
        StringBuilder text = new StringBuilder(mark).append(blank()).append('[').append(blank());
        for (int i = 0; i < pieces.size(); i++) {
            text.append(i == 0 ? "" : ",").append(blank()).append(pieces.get(i).text).append(blank());
        }
        return counted(text.append(']').append(blank()).toString(), pieces);
    }

    private Text lines(String mark) {
        List<Piece> pieces = new ArrayList<>(pieces(1 + random.nextInt(8)));
        if (chance(3)) {
            pieces.add(bad("not-json", pick("garbage", "{\"type\":", "[", "{}{}", "\"", "nul", "1 2", "}")));
        }
        // The first or the last line is an object, by which lines are recognized; a first one like an array would be one.
        pieces.add(good());
        if (pieces.get(0).text.startsWith("[")) {
            pieces.add(0, good());
        }
        return counted(mark + String.join(pick("\n", "\r\n", "\n"), pieces.stream().map(Piece::text).toList())
                + pick("", "\n", "\r\n"), pieces);
    }

    private Text counted(String text, List<Piece> pieces) {
        List<Letter> letters = new ArrayList<>();
        for (int i = 0; i < pieces.size(); i++) {
            if (pieces.get(i).reason != null) {
                letters.add(new Letter(i, pieces.get(i).reason, pieces.get(i).text));
            }
        }
        if (letters.size() > MAX_LETTERS) {
            return new Text(text, List.of(), letters.get(0).reason);
        }
        pieces.stream().filter(piece -> piece.reason == null).forEach(piece -> piece.count.run());
        return new Text(text, letters, null);
    }

    /** More bad events than become letters of their own, or nearly. */
    private Text many() {
        List<Piece> pieces = new ArrayList<>(pieces(3));
        Piece bad = bad();
        for (int i = 95 + random.nextInt(12); i > 0; i--) {
            pieces.add(bad);
        }
        return array("", pieces);
    }

    private Text broken() {
        String good = good().text;
        return new Text(switch (random.nextInt(8)) {
            case 0 -> "[" + good + "," + good;
            case 1 -> "[" + good + "]" + good;
            case 2 -> "[" + good + ",]";
            case 3 -> "\u00e4" + good;
            case 4 -> "[".repeat(2 + random.nextInt(2_000));
            case 5 -> "[" + good + ",{\"a\":\"" + "\\ud83d\\ude00".repeat(20) + "]";
            case 6 -> "<html>" + blank() + "\ud83d\ude00";
            default -> {
                int end = 1 + random.nextInt(good.length() - 1);
                // Half a surrogate pair is no text that a queue takes.
                yield good.substring(0, Character.isHighSurrogate(good.charAt(end - 1)) ? end - 1 : end);
            }
        }, List.of(), "not-json");
    }

    private Text envelope(String mark) {
        Click click = click();
        String unused = pick("", ",\"x\":1e999", ",\"y\":{\"z\":[1e9999999999]}", ",\"n\":null", ",\"x\":1,\"x\":2",
                ",\"u\":" + "9".repeat(1_200));
        boolean own = random.nextBoolean();
        String attributes = "{" + click.attributes + unused + "}";
        String data = own ? "{\"attributes\":" + attributes + pick("", ",\"bytes\":1e999", ",\"page\":[]") + "}" : attributes;
        String time = ",\"time\":\"" + click.time + "\"";
        String text = random.nextBoolean()
                ? "{\"specversion\":\"1.0\",\"source\":\"/s\",\"id\":\"1\",\"type\":\"click\"" + time + ",\"data\":" + data
                        + "}"
                : "{\"version\":\"0\",\"detail-type\":\"click\",\"source\":\"s\",\"id\":\"1\"" + time + ",\"detail\":" + data
                        + "}";
        click.count();
        return new Text(mark + text, List.of(), null);
    }

    private String notification(String text) {
        return "{\"Type\":\"Notification\",\"MessageId\":\"1\",\"TopicArn\":\"arn:aws:sns:eu-west-1:1:t\",\"Message\":"
                + quoted(text) + ",\"MessageAttributes\":{\"x\":{\"Type\":\"String\",\"Value\":\"y\"}}}";
    }

    private Piece good() {
        return switch (random.nextInt(8)) {
            case 0 -> order();
            case 1 -> recent(true);
            default -> click().piece();
        };
    }

    private final class Click {
        private final String page = page();
        private final Instant moment = DAY.plusSeconds(random.nextInt(86_400)).plusNanos(random.nextInt(1_000_000_000));
        private final @Nullable BigDecimal bytes = chance(5) ? null : number();
        private final String time = time(moment);
        private final String attributes = "\"page\":" + spelled(page)
                + (bytes == null ? pick("", ",\"bytes\":null") : ",\"bytes\":" + bytes);
        private long times = 1;

        void count() {
            String bucket = page + " day#" + DAY;
            counts.merge("clicks " + bucket, BigDecimal.valueOf(times), BigDecimal::add);
            if (bytes != null) {
                sums.merge("clicks " + bucket, bytes, BigDecimal::add);
                if (times > 0) {
                    maxima.merge("clicks " + bucket, bytes, BigDecimal::max);
                }
            }
        }

        Piece piece() {
            String count = "";
            if (chance(6)) {
                times = pick(-1L, 2L, -3L, 1_000_000_000L);
                count = ",\"count\":" + times;
            }
            String extra = pick("", "", ",\"x\":[{}]", ",\"more\":{\"type\":1}", ",\"y\":1e99999", ",\"z\":null")
                    + pick("", "", ",\"id\":\"\"", ",\"id\":\"\\ud800\"", ",\"tenant\":\"default\"", ",\"tenant\":null");
            String type = chance(8) ? "\"\\u0074ype\":\"cl\\u0069ck\"" : "\"type\":" + blank() + "\"click\"";
            String spelledTime = chance(6) ? moment.getEpochSecond() + "." + moment.getNano() / 100_000_000
                    : "\"" + time + "\"";
            return new Piece("{" + type + ",\"time\":" + spelledTime + count + extra + ",\"attributes\":{" + attributes
                    + pick("", "", ",\"u\":\"" + "\u00e4".repeat(50) + "\"", ",\"v\":[[[]]]", ",\"w\":1e999") + "}}", null,
                    this::count);
        }
    }

    private Click click() {
        return new Click();
    }

    private Piece order() {
        int number = random.nextInt(60);
        boolean retraction = chance(4);
        String id = "o\ud83d\ude00" + number;
        BigDecimal bytes = BigDecimal.valueOf(retraction ? -number - 1L : number + 1L, 2);
        String page = "shop-" + number % 3;
        String text = "{\"type\":\"order\",\"id\":\"" + id + "\",\"time\":\"2026-11-20T10:00:00Z\""
                + (retraction ? ",\"count\":-1" : "") + ",\"attributes\":{\"page\":\"" + page + "\",\"bytes\":" + bytes + "}}";
        return new Piece(text, null, () -> {
            if (orders.add(retraction + id)) {
                counts.merge("orders " + page + " day#" + DAY, BigDecimal.valueOf(retraction ? -1 : 1), BigDecimal::add);
                sums.merge("orders " + page + " day#" + DAY, bytes, BigDecimal::add);
            }
        });
    }

    private Piece recent(boolean accepted) {
        Instant now = Instant.now();
        Instant time = accepted ? now.minus(Duration.ofMinutes(random.nextInt(20)))
                : chance(2) ? now.minus(Duration.ofHours(3)) : now.plus(Duration.ofDays(900));
        String page = page();
        return new Piece("{\"type\":\"recent\",\"time\":\"" + time + "\",\"attributes\":{\"page\":" + spelled(page) + "}}",
                accepted ? null : "time-not-accepted",
                () -> counts.merge("recent " + page + " forever#1970-01-01T00:00:00Z", BigDecimal.ONE, BigDecimal::add));
    }

    private Piece ignored() {
        return new Piece(pick("{\"type\":\"heartbeat\"}", "{\"time\":[],\"type\":\"tick \u00e4\",\"attributes\":3}",
                "{\"detail-type\":\"heartbeat\",\"detail\":\"x\"}", "{\"specversion\":\"1.0\",\"type\":\"heartbeat\"}"), null,
                () -> {
                });
    }

    private Piece bad() {
        return chance(3) ? bad("not-an-object",
                pick("1", "-0.5e3", "\"a,\\\"b\"", "null", "true", "[1,[2,{}]]", "\"\u00e4\ud83d\ude00]\"")) : badObject();
    }

    private Piece badObject() {
        if (chance(12)) {
            return recent(false);
        }
        return pick(
                bad("missing-field", "{\"type\":\"click\",\"attributes\":{\"page\":\"bad\"}}"),
                bad("missing-field", "{\"time\":\"2026-11-20T10:00:00Z\",\"attributes\":{\"page\":\"bad\"}}"),
                bad("missing-field", "{\"specversion\":\"1.0\",\"data\":{}}"),
                bad("unknown-event-type", click("klick", "T", "\"page\":\"bad\"")),
                bad("invalid-time", click("click", "2026-02-30T10:00:00Z", "\"page\":\"bad\"")),
                bad("invalid-time", click("click", "2026-11-20T10:00:60Z", "\"page\":\"bad\"")),
                bad("invalid-time", click("click", "\u00e4".repeat(300), "\"page\":\"bad\"")),
                bad("invalid-tenant", CLICK.replace("{\"ty", "{\"tenant\":\" \",\"ty")),
                bad("wrong-field-type", CLICK.replace("{\"ty", "{\"count\":0,\"ty")),
                bad("wrong-field-type", "{\"type\":\"click\",\"time\":\"2026-11-20T10:00:00Z\",\"attributes\":[1]}"),
                bad("duplicate-field", CLICK.replace("{\"ty", "{\"type\":\"click\",\"ty")),
                bad("duplicate-field", click("click", "T", "\"page\":\"bad\",\"page\":\"x\"")),
                bad("missing-label", click("click", "T", "\"bytes\":1")),
                bad("missing-label", click("click", "T", "\"page\":null")),
                bad("wrong-attribute-type", click("click", "T", "\"page\":{\"a\":1}")),
                bad("wrong-attribute-type", click("click", "T", "\"page\":\"bad\",\"bytes\":\"1 KB\"")),
                bad("number-out-of-range", click("click", "T", "\"page\":\"bad\",\"bytes\":1e60")),
                bad("number-out-of-range", click("click", "T", "\"page\":\"bad\",\"bytes\":-1e999999999999")),
                bad("number-out-of-range", click("click", "T", "\"page\":\"bad\",\"bytes\":1234567890123456")),
                bad("number-out-of-range", click("click", "T", "\"page\":" + "9".repeat(1_500))),
                bad("key-too-long", click("click", "T", "\"page\":\"" + "\u00e4".repeat(1_100) + "\"")),
                bad("invalid-text", click("click", "T", "\"page\":\"a\\ud800\"")),
                bad("missing-field", click("order", "T", "\"page\":\"bad\"")),
                bad("missing-field", click("order", "T", "\"page\":\"bad\"").replace("{\"ty", "{\"id\":\"\",\"ty")),
                bad("invalid-text", click("order", "T", "\"page\":\"bad\"").replace("{\"ty", "{\"id\":\"a\\udc00\",\"ty")),
                bad("invalid-envelope", "{\"detail-type\":\"click\",\"detail\":[]}"));
    }

    private static Piece bad(String reason, String text) {
        return new Piece(text, reason, () -> {
        });
    }

    private static String click(String type, String time, String attributes) {
        return "{\"type\":\"" + type + "\",\"time\":\"" + (time.equals("T") ? "2026-11-20T10:00:00Z" : time)
                + "\",\"attributes\":{" + attributes + "}}";
    }

    private String page() {
        int page = random.nextInt(PAGES);
        return page == 0 ? "\u00e4\ud83d\ude00#$ " : page == 1 ? "7" : page == 2 ? "true" : page == 3 ? "" : "/page-" + page;
    }

    private String spelled(String page) {
        if (page.equals("7") || page.equals("true")) {
            return page.equals("7") ? pick("7", "7.0", "\"7\"", "0.7e1") : pick("true", "\"true\"");
        }
        return chance(5) ? quoted(page).replace("/", "\\/").replace("p", "\\u0070") : quoted(page);
    }

    private BigDecimal number() {
        return switch (random.nextInt(5)) {
            case 0 ->
                new BigDecimal("999999999999999.99999999999999").multiply(BigDecimal.valueOf(random.nextBoolean() ? 1 : -1));
            case 1 -> new BigDecimal("1e-14");
            case 2 -> new BigDecimal("-12.50e2");
            default -> BigDecimal.valueOf(random.nextLong(-1_000_000, 1_000_000), random.nextInt(4));
        };
    }

    private String time(Instant moment) {
        return switch (random.nextInt(5)) {
            case 0 -> "2026-11-20T23:59:60Z";
            case 1 -> "2026-11-20T00:59:59+01:00".replace("20T00", "21T00");
            case 2 -> "2026-11-20T00:00:00.000000001Z";
            default -> moment.toString();
        };
    }

    private static String quoted(String text) {
        return TextNode.valueOf(text).toString();
    }

    private String blank() {
        return pick("", "", "", " ", "\t ");
    }

    private boolean chance(int oneIn) {
        return random.nextInt(oneIn) == 0;
    }

    @SafeVarargs
    private <T> T pick(T... some) {
        return some[random.nextInt(some.length)];
    }
}
