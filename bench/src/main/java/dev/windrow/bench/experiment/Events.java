package dev.windrow.bench.experiment;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;

import dev.windrow.bench.queue.Body;

/** Generated click events, alone or as arrays. */
final class Events {

    private final RandomGenerator random;
    private final Instant from;
    private final Duration span;
    private final IntFunction<String> label;
    private int next;

    /**
     * @param from times begin there
     * @param span and lie in that span, drawn evenly
     * @param label of the n-th event
     */
    Events(RandomGenerator random, Instant from, Duration span, IntFunction<String> label) {
        this.random = random;
        this.from = from;
        this.span = span;
        this.label = label;
    }

    /** One minute's events of so many labels, drawn evenly. */
    static Events clicks(RandomGenerator random, int labels) {
        return new Events(random, Instant.now().truncatedTo(ChronoUnit.MINUTES), Duration.ofMinutes(1),
                n -> "https://referrer-" + random.nextInt(labels) + ".example.org/");
    }

    /** Messages of so many events each; one event is an object, more are an array. */
    List<Body> messages(int messages, int eventsOfEach) {
        List<Body> bodies = new ArrayList<>(messages);
        for (int i = 0; i < messages; i++) {
            if (eventsOfEach == 1) {
                bodies.add(Body.of(event()));
                continue;
            }
            StringBuilder array = new StringBuilder("[");
            for (int j = 0; j < eventsOfEach; j++) {
                array.append(j == 0 ? "" : ",").append(event());
            }
            bodies.add(Body.of(array.append(']').toString()));
        }
        return bodies;
    }

    private String event() {
        Instant time = from.plusMillis(random.nextLong(span.toMillis()));
        int number = next++;
        return "{\"type\":\"click\",\"time\":\"" + time + "\",\"attributes\":{\"referrer\":\"" + label.apply(number)
                + "\",\"url\":\"/page-" + random.nextInt(1_000) + "\",\"bytes\":" + random.nextInt(100, 100_000) + "}}";
    }
}
