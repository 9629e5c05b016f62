package dev.windrow.writer;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigProvider;

import dev.windrow.aws.NetworkSettings;
import dev.windrow.base.SettingRange;
import dev.windrow.provision.QueueSpec;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import io.smallrye.config.WithName;

/** Settings of the service as a whole. */
@RegisterForReflection
@ConfigMapping(prefix = "windrow")
public interface WriterConfig {

    /**
     * The YAML file that declares the datasets. Writer and gatherer read the same one.
     *
     * @return path of a readable file
     */
    Path datasetsFile();

    /** Name of the DynamoDB table. */
    @SettingRange(unit = "3 to 255 letters, digits, '_', '-' or '.'", pattern = "[a-zA-Z0-9_.-]{3,255}")
    @WithDefault("windrow")
    String table();

    /**
     * Queue that events are received from.
     *
     * @return name or URL of an SQS queue
     */
    @WithDefault("windrow-events")
    @WithName("writer.queue")
    String queue();

    /**
     * Several queues that events are received from, instead of {@code windrow.writer.queue}.
     *
     * @return names or URLs of SQS queues
     */
    @WithName("writer.queues")
    Optional<List<String>> queues();

    /** Names or URLs of all queues that events come from. */
    default List<String> queueNames() {
        return queues().orElse(List.of(queue()));
    }

    /**
     * Queue for messages and events that cannot be counted. If absent, the queue whose name is that of
     * {@code windrow.writer.queue} followed by {@code -dlq} (before {@code .fifo}).
     *
     * @return name or URL of an SQS queue that is none of the queues received from
     */
    @WithName("writer.dead-letter-queue")
    Optional<String> givenDeadLetterQueue();

    /** Name or URL of the queue for dead letters. */
    default String deadLetterQueue() {
        return givenDeadLetterQueue().orElseGet(() -> QueueSpec.deadLetterQueue(queue()));
    }

    /**
     * Accepts datasets that differ from those the table was last written with. It accepts exactly the datasets whose
     * fingerprint this is, so it may stay set.
     *
     * @return the fingerprint that the writer logs when it refuses to start for changed datasets
     */
    @WithName("writer.accept-datasets")
    Optional<String> acceptDatasets();

    /**
     * How long a shutdown waits for the messages in memory to be written and deleted. Those that are left are then returned to
     * their queue, which takes at most 12s.
     */
    @SettingRange(above = "0s", advice = "keep it 15s below the pod's grace period")
    @WithDefault("25s")
    @WithName("writer.drain-timeout")
    Duration drainTimeout();

    /** How long messages wait to be claimed together. Longer means fewer writes and later counts. */
    @SettingRange(above = "0s", advice = "keep it well below the queue's visibility timeout")
    @WithDefault("1s")
    @WithName("writer.aggregate.max-age")
    Duration maxAge();

    /**
     * A PEM file with certificate authorities trusted besides those of the platform.
     *
     * @return path of a readable file
     */
    @WithDefault("${AWS_CA_BUNDLE:}")
    @WithName("aws.ca-bundle")
    Optional<Path> caBundle();

    /**
     * How AWS is reached; proxies come from {@code HTTPS_PROXY}, {@code HTTP_PROXY} and {@code NO_PROXY}.
     *
     * @throws ConfigurationException if a proxy or the file is wrong
     */
    default NetworkSettings network() {
        // The configuration includes the environment's variables by name.
        Config config = ConfigProvider.getConfig();
        return WriterService.withoutStackTrace(
                () -> NetworkSettings.ofProcess(name -> config.getOptionalValue(name, String.class), caBundle()));
    }
}
