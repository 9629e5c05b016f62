package dev.windrow.bench.micro;

import java.util.concurrent.TimeUnit;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

import dev.windrow.writer.decode.Decoded;
import dev.windrow.writer.decode.EventDecoder;
import dev.windrow.writer.message.Message;

/** A message's text to events. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class Decode {

    private final EventDecoder decoder = new EventDecoder(Samples.DATASETS);
    private final Message one = Samples.message(1);
    private final Message hundred = Samples.message(100);

    @Benchmark
    public Decoded oneEvent() {
        return decoder.decode(one);
    }

    @Benchmark
    public Decoded hundredEvents() {
        return decoder.decode(hundred);
    }
}
