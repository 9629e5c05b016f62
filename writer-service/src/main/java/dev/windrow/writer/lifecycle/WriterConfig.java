package dev.windrow.writer.lifecycle;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import io.smallrye.config.WithName;

/** Settings of the service as a whole. */
@ConfigMapping(prefix = "windrow")
public interface WriterConfig {

    /** The file that declares the datasets. */
    Path datasetsFile();

    /** The table's name. */
    @WithDefault("windrow")
    String table();

    /** Name or URL of the queue that events come from. */
    @WithDefault("windrow-events")
    @WithName("writer.queue")
    String queue();

    /** Names or URLs of several queues, instead of the one. */
    @WithName("writer.queues")
    Optional<List<String>> queues();

    /** Names or URLs of all queues that events come from. */
    default List<String> queueNames() {
        return queues().orElse(List.of(queue()));
    }

    /** Name or URL of the queue for what cannot be counted. */
    @WithDefault("windrow-events-dlq")
    @WithName("writer.dead-letter-queue")
    String deadLetterQueue();

    /**
     * Accepts datasets that differ from those the table was written with: what the writer prints where it refuses to start
     * for them. It accepts these datasets and no others, so it may stay set.
     */
    @WithName("writer.accept-datasets")
    Optional<String> acceptDatasets();

    /** How long the writer may take to end after it was asked to. */
    @WithDefault("25s")
    @WithName("writer.drain-timeout")
    Duration drainTimeout();

    /** Once nothing moves for that long although there is work, the writer is no longer live. */
    @WithDefault("2m")
    @WithName("writer.liveness-timeout")
    Duration livenessTimeout();
}
