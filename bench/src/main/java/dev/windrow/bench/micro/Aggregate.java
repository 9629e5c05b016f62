package dev.windrow.bench.micro;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Blackhole;

import dev.windrow.event.Event;
import dev.windrow.writer.aggregate.AggregateLimits;
import dev.windrow.writer.aggregate.Aggregator;
import dev.windrow.writer.aggregate.ContributionBuilder;
import dev.windrow.writer.aggregate.Contributor;
import dev.windrow.writer.aggregate.PendingMessage;
import dev.windrow.writer.aggregate.SeriesBatch;
import dev.windrow.writer.decode.MemoryBudget;
import dev.windrow.writer.decode.EventSink;
import dev.windrow.writer.decode.RejectedEvent;
import dev.windrow.writer.message.Message;

/** Events to upserts. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class Aggregate {

    private static final int MESSAGES = 10;

    private final Contributor contributor = new Contributor(Samples.DATASETS, Long.MAX_VALUE);
    private final Aggregator aggregator = new Aggregator(new AggregateLimits(50_000, 100, 0, 1_000));
    private final Message message = Samples.message(100);
    private final List<Event> events = events(message);

    @Benchmark
    public void tenMessagesOfAHundredEventsToUpserts(Blackhole hole) {
        for (int i = 0; i < MESSAGES; i++) {
            ContributionBuilder contributions = contributor.start(new PendingMessage(message), MemoryBudget.UNLIMITED);
            for (int index = 0; index < events.size(); index++) {
                contributions.take(index, events.get(index));
            }
            aggregator.add(contributions.build().shares(), 0);
        }
        for (SeriesBatch batch : aggregator.takeDue(1, true)) {
            hole.consume(batch.upserts());
            aggregator.done(batch);
        }
    }

    private static List<Event> events(Message message) {
        List<Event> events = new ArrayList<>();
        Samples.decoder().decode(message, new EventSink() {

            @Override
            public RejectedEvent take(int index, Event event) {
                events.add(event);
                return null;
            }

            @Override
            public void restart() {
                events.clear();
            }
        }, MemoryBudget.UNLIMITED);
        return events;
    }
}
