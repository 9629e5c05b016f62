package dev.windrow.quickstart.traffic;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * Made-up traffic with a heavy tail, as real referrers have: the r-th most popular of them is chosen with a probability
 * proportional to 1/r (Zipf's law), so a few are hot and most are rare.
 */
public final class GeneratedClicks {

    private static final int REFERRERS = 300;
    private static final int LARGEST_ANSWER = 250_000;
    private static final List<Integer> STATUSES = List.of(200, 200, 200, 200, 200, 200, 304, 301, 404, 500);

    private final RandomGenerator random;
    private final Instant end;
    private final Duration span;
    private final double[] cumulative = new double[REFERRERS];

    /**
     * @param random where all choices come from
     * @param end the latest time of a click
     * @param span how long before the end the earliest may be
     */
    public GeneratedClicks(RandomGenerator random, Instant end, Duration span) {
        this.random = random;
        this.end = end;
        this.span = span;
        double total = 0;
        for (int rank = 0; rank < REFERRERS; rank++) {
            total += 1.0 / (rank + 1);
            cumulative[rank] = total;
        }
    }

    /** That many clicks in order of time. */
    public Stream<Click> clicks(int count) {
        return random.longs(count, 0, span.toMillis()).sorted()
                .mapToObj(millis -> click(end.minus(span).plusMillis(millis)));
    }

    private Click click(Instant time) {
        int status = STATUSES.get(random.nextInt(STATUSES.size()));
        Long bytes = status == 304 ? null : (long) random.nextInt(LARGEST_ANSWER);
        String host = "192.0.2." + random.nextInt(256);
        return new Click(time, referrer(), "/articles/" + random.nextInt(1_000), host, status, bytes);
    }

    private String referrer() {
        double point = random.nextDouble() * cumulative[REFERRERS - 1];
        int rank = 0;
        while (rank < REFERRERS - 1 && cumulative[rank] < point) {
            rank++;
        }
        return rank == 0 ? "-" : "https://site-" + rank + ".example/links";
    }
}
