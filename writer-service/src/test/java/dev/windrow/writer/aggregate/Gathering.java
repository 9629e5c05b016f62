package dev.windrow.writer.aggregate;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import dev.windrow.writer.message.Message;
import dev.windrow.writer.testing.TestContributions;

/** Shares of one dataset, and an aggregator that takes them. */
abstract class Gathering {

    static final long AGE = TimeUnit.SECONDS.toNanos(1);
    static final Instant TEN = Instant.parse("2026-11-20T10:00:00Z");
    static final Instant SENT = Instant.parse("2026-11-20T10:31:40Z");

    static final String YAML = """
            windrow:
              datasets:
                hits:
                  event-type: hit
                  label: [page]
                  granularities: [day]
                  index: [day]
                  measures: {hits: {type: count}}
            """;

    final TestContributions shares = new TestContributions(YAML);
    final Aggregator aggregator = new Aggregator(new AggregateLimits(100, 5, AGE, 3));
    private int messages;

    void add(String page, long now) {
        aggregator.add(share(page), now);
    }

    List<Contribution> share(String page) {
        return shares.of(message(SENT, page));
    }

    /** Shares of one series whose messages were sent in the same second. */
    List<Contribution> sent(int second, int count) {
        List<Contribution> some = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            some.addAll(shares.of(message(SENT.plusSeconds(second), "a")));
        }
        return some;
    }

    Message message(Instant sent, String page) {
        return TestContributions.message("m" + messages++, sent, "{\"type\":\"hit\",\"time\":\"" + TEN + "\","
                + "\"attributes\":{\"page\":\"" + page + "\"}}");
    }
}
