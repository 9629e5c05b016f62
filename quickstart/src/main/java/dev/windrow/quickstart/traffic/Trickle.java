package dev.windrow.quickstart.traffic;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.random.RandomGenerator;

/** A few clicks a second, so that the page has something to show. */
public final class Trickle {

    /** How often clicks are sent. */
    public static final Duration INTERVAL = Duration.ofSeconds(1);

    private static final int MAX_CLICKS = 20;

    private final RandomGenerator random;

    /** @param random where all choices come from */
    public Trickle(RandomGenerator random) {
        this.random = random;
    }

    /** The message with the clicks of the interval that ends now: 1 to 20 events. */
    public List<String> messages(Instant now) {
        int count = random.nextInt(1, MAX_CLICKS + 1);
        ClickMessages messages = new ClickMessages(new GeneratedClicks(random, now, INTERVAL).clicks(count).iterator());
        return List.of(messages.next().body());
    }
}
