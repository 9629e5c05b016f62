package dev.windrow.writer;

import java.time.Duration;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Settings of decoding. They are here because the decoding itself is pure. */
@ConfigMapping(prefix = "windrow.writer.decode")
public interface DecodeConfig {

    /**
     * Messages decoded at a time.
     *
     * @return threads, 1 or more; more than the number of processors gains nothing
     */
    @WithDefault("2")
    int concurrency();

    /**
     * Memory for the labels and buckets of one message. A message that needs more goes to the dead-letter queue.
     *
     * @return bytes on the heap, estimated; 1 or more, at most {@code windrow.writer.source.max-bytes}
     */
    @WithDefault("32M")
    MemorySize maxMessageBytes();

    /**
     * How long decoding one message may take. After that the message is returned to its queue or, if it was received more
     * than twice, goes to the dead-letter queue.
     *
     * @return more than 0; keep it below the queue's visibility timeout
     */
    @WithDefault("10s")
    Duration timeout();
}
