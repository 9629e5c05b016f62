package dev.windrow.writer.process;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.windrow.writer.process.StoredTable.Bucket;
import dev.windrow.writer.process.StoredTable.Measures;

/**
 * Generated events in messages of one and of many, and what they must come to: kept by plain additions that share no code
 * with the writer. Labels repeat often, so that flushes meet each other, and two candidates are as hot as labels get.
 */
final class Traffic {

    static final String DATASETS = """
            windrow:
              datasets:
                clicks:
                  event-type: click
                  label: [referrer]
                  granularities: [hour, day]
                  index: [hour]
                  measures:
                    events: {type: count}
                    bytes: {type: sum, attribute: bytes}
                    largest: {type: max, attribute: bytes}
                    smallest: {type: min, attribute: bytes}
                  scatter: [{width: 10}]
                  where: {bot: {exists: false}}
                urls-of-referrer:
                  event-type: view
                  label: [referrer, url]
                  partition: 1
                  granularities: [hour]
                  index: [hour]
                  key-shards: 2
                  measures:
                    events: {type: count}
                    bytes: {type: sum, attribute: bytes}
                scores:
                  event-type: score
                  label: [game, user]
                  partition: 1
                  granularities: [hour, forever]
                  index: [hour, forever]
                  measures:
                    events: {type: count}
                    bytes: {type: sum, attribute: bytes}
                    largest: {type: max, attribute: bytes}
                  rank:
                    - {by: largest, within: [game], width: 3}
                    - {by: events, granularities: [forever]}
                votes:
                  event-type: vote
                  label: [candidate]
                  granularities: [forever]
                  key-shards: 4
                  measures:
                    events: {type: count}
                    bytes: {type: sum, attribute: bytes, where: {path: {prefix: /api/}}}
            """;

    /** The same, each event counted once by its own id. */
    static final String DATASETS_BY_EVENT = DATASETS.replace("      event-type:", "      dedupe: event-id\n      event-type:");

    /** An event that no dataset counts, so that it may lack a label and have a measure of the wrong type. */
    private static final String BOT = "{\"type\":\"click\",\"id\":\"bot\",\"time\":\"2026-11-20T22:00:00Z\","
            + "\"attributes\":{\"bot\":true,\"bytes\":[]}}";
    private static final Instant FIRST = Instant.parse("2026-11-20T22:00:00Z");
    private static final int SPAN_SECONDS = 4 * 3_600;
    private static final int REFERRERS = 12;
    private static final int URLS = 4;
    private static final int CANDIDATES = 2;
    private static final int GAMES = 3;
    private static final int USERS = 6;
    private static final int LARGEST_MESSAGE = 20;

    private final RandomGenerator random;
    private final SortedMap<Bucket, Measures> expected = new TreeMap<>();
    private long events;
    private int repeats = 1;

    Traffic(RandomGenerator random) {
        this.random = random;
    }

    /** Bodies of messages with a number of further events: a tenth of the events alone, the others in arrays and lines. */
    List<String> messages(int count) {
        List<String> bodies = new ArrayList<>();
        int left = count;
        while (left > 0) {
            int size = random.nextInt(3) == 0 ? 1 : Math.min(left, 1 + random.nextInt(LARGEST_MESSAGE));
            List<String> batch = new ArrayList<>();
            for (int i = 0; i < size; i++) {
                batch.add(event());
            }
            if (random.nextInt(8) == 0) {
                batch.add(BOT);
            }
            bodies.add(body(batch));
            left -= size;
        }
        return bodies;
    }

    /** Further events of a few kinds, each of which appears many times. */
    String lines(int kinds, int times) {
        repeats = times;
        List<String> some = Stream.generate(this::event).limit(kinds).toList();
        repeats = 1;
        return (String.join("\n", some) + "\n").repeat(times);
    }

    List<String> manyLabels(int messages, int labels) {
        return Stream.generate(() -> IntStream.range(0, labels)
                .mapToObj(i -> shortClick("l" + i, FIRST.plusSeconds(i % SPAN_SECONDS)))
                .collect(Collectors.joining(",", "[", "]"))).limit(messages).toList();
    }

    List<String> manyBuckets(int messages, int hours) {
        return Stream.generate(() -> IntStream.range(0, hours)
                .mapToObj(i -> shortClick("hours", FIRST.minus(i, ChronoUnit.HOURS)))
                .collect(Collectors.joining(",", "[", "]"))).limit(messages).toList();
    }

    /** The buckets that all messages so far must lead to. */
    SortedMap<Bucket, Measures> expected() {
        return new TreeMap<>(expected);
    }

    /** The leaderboards by a measure that they must lead to. */
    SortedMap<Bucket, BigDecimal> leaderboards(String granularity, Function<Measures, BigDecimal> by) {
        SortedMap<Bucket, BigDecimal> ranked = new TreeMap<>();
        expected.forEach((bucket, measures) -> {
            if (bucket.dataset().equals("scores") && bucket.granularity().equals(granularity)) {
                ranked.put(bucket, by.apply(measures));
            }
        });
        return ranked;
    }

    long events() {
        return events;
    }

    private String body(List<String> batch) {
        if (batch.size() == 1) {
            return batch.get(0);
        }
        return random.nextBoolean() ? "[" + String.join(",", batch) + "]" : String.join("\n", batch);
    }

    private String event() {
        return switch (random.nextInt(5)) {
            case 0 -> vote();
            case 1 -> view();
            case 2 -> score();
            default -> click();
        };
    }

    private String vote() {
        events++;
        Instant time = time();
        BigDecimal bytes = bytes();
        String candidate = "candidate-" + random.nextInt(CANDIDATES);
        boolean api = random.nextBoolean();
        expect(new Bucket("votes", candidate, "forever", "1970-01-01T00:00:00Z"),
                Measures.of(BigDecimal.ONE, api ? bytes : BigDecimal.ZERO, null, null));
        return event("vote", time, "candidate", candidate, bytes).replace("\"bytes\"",
                "\"path\":\"" + (api ? "/api/" : "/") + "\",\"bytes\"");
    }

    /** All URLs of a referrer share a partition key. */
    private String view() {
        events++;
        Instant time = time();
        BigDecimal bytes = bytes();
        String referrer = "r" + random.nextInt(REFERRERS);
        String url = "/" + random.nextInt(URLS);
        expect(new Bucket("urls-of-referrer", referrer + " " + url, "hour", time.truncatedTo(ChronoUnit.HOURS).toString()),
                Measures.of(BigDecimal.ONE, bytes, null, null));
        return event("view", time, "referrer", referrer, bytes).replace("\"bytes\"", "\"url\":\"" + url + "\",\"bytes\"");
    }

    /** Some users of a few games, in the order of two measures. */
    private String score() {
        events++;
        Instant time = time();
        BigDecimal bytes = bytes();
        String game = "g" + random.nextInt(GAMES);
        String user = "u" + random.nextInt(USERS);
        Measures one = Measures.of(BigDecimal.ONE, bytes, bytes, null);
        expect(new Bucket("scores", game + " " + user, "hour", time.truncatedTo(ChronoUnit.HOURS).toString()), one);
        expect(new Bucket("scores", game + " " + user, "forever", "1970-01-01T00:00:00Z"), one);
        return event("score", time, "game", game, bytes).replace("\"bytes\"", "\"user\":\"" + user + "\",\"bytes\"");
    }

    private String click() {
        return click("https://r" + random.nextInt(REFERRERS) + ".example/", time());
    }

    /** With the time as a number, so that as many as possible fit into a message. */
    private String shortClick(String referrer, Instant time) {
        return click(referrer, time).replace("\"" + time + "\"", Long.toString(time.getEpochSecond()));
    }

    private String click(String referrer, Instant time) {
        events++;
        BigDecimal bytes = bytes();
        Measures one = Measures.of(BigDecimal.ONE, bytes, bytes, bytes);
        expect(new Bucket("clicks", referrer, "hour", time.truncatedTo(ChronoUnit.HOURS).toString()), one);
        expect(new Bucket("clicks", referrer, "day", time.truncatedTo(ChronoUnit.DAYS).toString()), one);
        return event("click", time, "referrer", referrer, bytes);
    }

    private Instant time() {
        return FIRST.plusSeconds(random.nextInt(SPAN_SECONDS)).plusMillis(random.nextInt(1_000));
    }

    private BigDecimal bytes() {
        return BigDecimal.valueOf(random.nextInt(1, 1_000_000), 2);
    }

    private void expect(Bucket bucket, Measures one) {
        for (int i = 0; i < repeats; i++) {
            expected.merge(bucket, one, Measures::plus);
        }
    }

    private String event(String type, Instant time, String label, String value, BigDecimal bytes) {
        return String.format(Locale.ROOT,
                "{\"type\":\"%s\",\"id\":\"%d\",\"time\":\"%s\",\"attributes\":{\"%s\":\"%s\",\"bytes\":%s}}",
                type, events, time, label, value, bytes.toPlainString());
    }
}
