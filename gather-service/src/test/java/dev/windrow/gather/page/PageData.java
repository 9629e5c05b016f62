package dev.windrow.gather.page;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.windrow.dataset.Datasets;
import dev.windrow.gather.testing.Aggregated;
import dev.windrow.table.Label;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** Generated clicks of two periods, and their expected sums, computed from the events alone. */
final class PageData {

    static final String TENANT = "page";
    static final String HOSTILE = "<script>document.title='run'</script>";
    static final String QUOTES = "\"><img src=x onerror=\"document.title='run'\"> & 'ä' \u202e";

    /** A Monday. */
    static final Instant FROM = Instant.parse("2026-03-02T00:00:00Z");
    static final Duration PERIOD = Duration.ofDays(2);
    static final Instant TO = FROM.plus(PERIOD);

    private static final List<String> LABELS = List.of("-", HOSTILE, QUOTES, "https://a.example/", "https://b.example/",
            "https://c.example/", "https://d.example/", "https://e.example/", "https://f.example/", "https://g.example/",
            "https://h.example/", "https://i.example/", "https://j.example/");
    private static final int EVENTS = 700;

    record Click(String label, Instant time, BigDecimal bytes) {

        /** The label as the page shows it: a character that reverses the text direction is spelled out. */
        String shown() {
            return label.replace("\u202e", "[U+202E]");
        }
    }

    private final List<Click> clicks = new ArrayList<>();

    PageData(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < EVENTS; i++) {
            // The smaller of two random numbers, so that labels differ in frequency.
            String label = LABELS.get(Math.min(random.nextInt(LABELS.size()), random.nextInt(LABELS.size())));
            Instant time = FROM.minus(PERIOD).plusSeconds(random.nextLong(2 * PERIOD.toSeconds()));
            // More digits than a double can hold.
            BigDecimal bytes = i % 50 == 0 ? new BigDecimal("9007199254740993.25")
                    : BigDecimal.valueOf(random.nextInt(100_000));
            clicks.add(new Click(label, time, bytes));
        }
    }

    void writeTo(DynamoDbAsyncClient client, Datasets datasets) {
        Aggregated aggregated = new Aggregated(TENANT, datasets.named("clicks").orElseThrow(), new SplittableRandom(1));
        clicks.forEach(click -> aggregated.event(Label.of(click.label()), click.time(), click.bytes().toPlainString()));
        aggregated.writeTo(client, "windrow");
    }

    List<Click> period(boolean before) {
        Instant from = before ? FROM.minus(PERIOD) : FROM;
        return clicks.stream().filter(click -> !click.time().isBefore(from) && click.time().isBefore(from.plus(PERIOD)))
                .toList();
    }

    static List<List<String>> hours(Collection<Click> clicks) {
        Map<Instant, List<Click>> hours = by(clicks, click -> click.time().truncatedTo(ChronoUnit.HOURS));
        return Stream.iterate(FROM, TO::isAfter, hour -> hour.plus(Duration.ofHours(1))).map(hour -> {
            List<Click> of = hours.getOrDefault(hour, List.of());
            return List.of(hour.toString().substring(0, 16).replace('T', ' '), Integer.toString(of.size()), bytes(of));
        }).toList();
    }

    /** Labels with the most events first, ties in label order, with events and bytes. */
    static List<List<String>> top(Collection<Click> clicks, int n) {
        return by(clicks, Click::shown).entrySet().stream()
                .sorted(Comparator.<Map.Entry<String, List<Click>>> comparingInt(label -> -label.getValue().size())
                        .thenComparing(Map.Entry::getKey))
                .limit(n)
                .map(label -> List.of(label.getKey(), Integer.toString(label.getValue().size()), bytes(label.getValue())))
                .toList();
    }

    static <K extends Comparable<K>> Map<K, List<Click>> by(Collection<Click> clicks, Function<Click, K> key) {
        return clicks.stream().collect(Collectors.groupingBy(key, TreeMap::new, Collectors.toList()));
    }

    /** The sum of their bytes, with every digit. */
    static String bytes(Collection<Click> clicks) {
        BigDecimal sum = clicks.stream().map(Click::bytes).reduce(BigDecimal.ZERO, BigDecimal::add);
        return sum.signum() == 0 ? "0" : sum.stripTrailingZeros().toPlainString();
    }
}
