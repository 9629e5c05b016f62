package dev.windrow.bench.micro;

import java.util.concurrent.TimeUnit;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Blackhole;

import dev.windrow.event.Event;
import dev.windrow.writer.decode.MemoryBudget;
import dev.windrow.writer.decode.DecodeResult;
import dev.windrow.writer.decode.EventDecoder;
import dev.windrow.writer.decode.EventSink;
import dev.windrow.writer.decode.RejectedEvent;
import dev.windrow.writer.message.Message;

/** A message's text to events. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class Decode {

    private final EventDecoder decoder = Samples.decoder();
    private final Message one = Samples.message(1);
    private final Message hundred = Samples.message(100);

    @Benchmark
    public DecodeResult oneEvent(Blackhole hole) {
        return decode(one, hole);
    }

    @Benchmark
    public DecodeResult hundredEvents(Blackhole hole) {
        return decode(hundred, hole);
    }

    private DecodeResult decode(Message message, Blackhole hole) {
        return decoder.decode(message, new EventSink() {

            @Override
            public RejectedEvent take(int index, Event event) {
                hole.consume(event);
                return null;
            }

            @Override
            public void restart() {
            }
        }, MemoryBudget.UNLIMITED);
    }
}
