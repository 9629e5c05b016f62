package dev.windrow.writer.flow;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

import dev.windrow.writer.acknowledge.Acknowledger;
import dev.windrow.writer.acknowledge.InFlightMessages;
import dev.windrow.writer.aggregate.Aggregator;
import dev.windrow.writer.aggregate.Contributor;
import dev.windrow.writer.deadletter.DeadLetterSender;
import dev.windrow.writer.decode.EventDecoder;
import dev.windrow.writer.source.InFlightLimiter;
import dev.windrow.writer.source.MessageSource;
import dev.windrow.writer.store.BucketStore;

/**
 * What the flow consists of.
 *
 * @param maxReceives a message received more often is not read any more
 * @param workers where messages are decoded
 * @param concurrentDecodings messages that are decoded at a time
 * @param maxDecodingBytes what the decoding of one message may take
 * @param pressureBytes once that many bytes are in memory, all that was gathered is written
 * @param tick how often it is looked what is due
 * @param nanoTime a clock that never goes back
 */
public record FlowParts(MessageSource source, InFlightLimiter room, EventDecoder decoder, Contributor contributor,
        Aggregator aggregator, BucketStore store, DeadLetterSender deadLetters, Acknowledger acknowledger,
        InFlightMessages held,
        FlowMetrics metrics, FlushTracing tracing, AccessDeniedPolicy denials, int maxReceives, Executor workers,
        int concurrentDecodings, long maxDecodingBytes, long pressureBytes, Duration tick, LongSupplier nanoTime) {
}
