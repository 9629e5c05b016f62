package dev.windrow.writer;

import java.time.Duration;

import dev.windrow.base.SettingRange;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Settings of decoding. They are here because the decoding itself is pure. */
@RegisterForReflection
@ConfigMapping(prefix = "windrow.writer.decode")
public interface DecodeConfig {

    /**
     * Messages decoded at a time.
     */
    @SettingRange(unit = "threads", min = "1", advice = "more than the number of processors gains nothing")
    @WithDefault("2")
    int concurrency();

    /**
     * Memory for the labels and buckets of one message. A message that needs more goes to the dead-letter queue.
     */
    @SettingRange(unit = "bytes on the heap, estimated", min = "1", max = "windrow.writer.source.max-bytes")
    @WithDefault("32M")
    MemorySize maxMessageBytes();

    /**
     * How long decoding one message may take. After that the message is returned to its queue or, if it was received more
     * than twice, goes to the dead-letter queue.
     */
    @SettingRange(above = "0s", advice = "keep it below the queue's visibility timeout")
    @WithDefault("10s")
    Duration timeout();
}
