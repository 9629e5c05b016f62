package dev.windrow.bench.experiment;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.windrow.bench.server.QueuedBody;

/**
 * Generated click events of one minute.
 *
 * @param labels number of labels, drawn uniformly
 */
record Events(RandomGenerator random, Instant minute, int labels) {

    /** Events per large message. */
    static final int BATCHED = 100;

    static final int LABELS = 200;

    private static final int MINUTE_MILLIS = 60_000;

    /** Returns the YAML of the events' dataset, with all granularities indexed. */
    static String dataset(int width, List<String> granularities) {
        return dataset(name(width), List.of("referrer"), granularities, width, "");
    }

    /**
     * Returns the YAML of a dataset.
     *
     * @param more further keys, in YAML, each after a comma
     */
    static String dataset(String name, List<String> label, List<String> granularities, int width, String more) {
        return """
                    %s: {event-type: click, label: %s, granularities: %s, index: %s, scatter: [{width: %d}],
                      measures: {events: {type: count}, bytes: {type: sum, attribute: bytes}}%s}
                """.formatted(name, label, granularities, granularities, width, more);
    }

    static String name(int width) {
        return "clicks" + width;
    }

    /** Generates events of the current minute. */
    static Events clicks(RandomGenerator random, int labels) {
        return new Events(random, Instant.now().truncatedTo(ChronoUnit.MINUTES), labels);
    }

    /** Generates messages with this many events each; one event is an object, several are an array. */
    List<QueuedBody> messages(int messages, int eventsOfEach) {
        return IntStream.range(0, messages).mapToObj(i -> QueuedBody.of(eventsOfEach == 1 ? event()
                : Stream.generate(this::event).limit(eventsOfEach).collect(Collectors.joining(",", "[", "]")))).toList();
    }

    private String event() {
        return "{\"type\":\"click\",\"time\":\"" + minute.plusMillis(random.nextInt(MINUTE_MILLIS))
                + "\",\"attributes\":{\"referrer\":\"https://referrer-" + random.nextInt(labels)
                + ".example.org/\",\"url\":\"/page-" + random.nextInt(1_000)
                + "\",\"bytes\":" + random.nextInt(100, 100_000) + "}}";
    }
}
