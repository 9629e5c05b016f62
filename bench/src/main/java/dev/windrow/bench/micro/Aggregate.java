package dev.windrow.bench.micro;

import java.util.List;
import java.util.concurrent.TimeUnit;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Blackhole;

import dev.windrow.writer.aggregate.AggregateLimits;
import dev.windrow.writer.aggregate.Aggregator;
import dev.windrow.writer.aggregate.Contributor;
import dev.windrow.writer.aggregate.PendingMessage;
import dev.windrow.writer.aggregate.SeriesBatch;
import dev.windrow.writer.decode.DecodedEvent;
import dev.windrow.writer.decode.EventDecoder;
import dev.windrow.writer.message.Message;

/** Events to upserts. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class Aggregate {

    private static final int MESSAGES = 10;

    private final Contributor contributor = new Contributor(Samples.DATASETS);
    private final Aggregator aggregator = new Aggregator(new AggregateLimits(50_000, 100, 0, 1_000));
    private final Message message = Samples.message(100);
    private final List<DecodedEvent> events = new EventDecoder(Samples.DATASETS).decode(message).events();

    @Benchmark
    public void tenMessagesOfAHundredEventsToUpserts(Blackhole hole) {
        for (int i = 0; i < MESSAGES; i++) {
            aggregator.add(contributor.contribute(new PendingMessage(message), events).shares(), 0);
        }
        for (SeriesBatch batch : aggregator.takeDue(1, true)) {
            hole.consume(batch.upserts());
            aggregator.done(batch);
        }
    }
}
