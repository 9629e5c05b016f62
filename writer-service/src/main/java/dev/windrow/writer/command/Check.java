package dev.windrow.writer.command;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.yaml.DatasetsYaml;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;

/**
 * Posts events to the queue and waits until the gatherer answers with exactly their totals. The events stay: they have a
 * label of their own, which begins with {@code windrow-check-}.
 */
final class Check {

    private Check() {
    }

    /** @throws IllegalStateException if the gatherer does not return the expected totals in time */
    static String run(CommandSettings settings) {
        Dataset dataset = dataset(DatasetsYaml.read(settings.datasetsFile()), settings.checkDataset());
        CheckEvents events = new CheckEvents(dataset, "windrow-check-" + UUID.randomUUID());
        send(settings, events.message(Instant.now()));
        new CheckTotals(settings.checkGather(), settings.checkApiKey()).await(events, settings.checkTimeout());
        return "%d events of dataset %s posted and answered exactly".formatted(CheckEvents.EVENTS, dataset.name());
    }

    private static Dataset dataset(Datasets datasets, Optional<String> name) {
        if (name.isEmpty()) {
            return datasets.all().get(0);
        }
        return datasets.named(name.get()).orElseThrow(() -> new IllegalArgumentException(
                "windrow.check.dataset: expected one of " + datasets.all().stream().map(Dataset::name).toList()
                        + ", found " + name.get()));
    }

    private static void send(CommandSettings settings, String message) {
        String queue = settings.queue();
        try (SqsAsyncClient sqs = CommandClients.sqs(settings)) {
            String url = queue.contains("://") ? queue
                    : CommandClients.await(sqs.getQueueUrl(request -> request.queueName(queue))).queueUrl();
            CommandClients.await(sqs.sendMessage(request -> {
                request.queueUrl(url).messageBody(message);
                if (queue.endsWith(".fifo")) {
                    request.messageGroupId("windrow-check").messageDeduplicationId(UUID.randomUUID().toString());
                }
            }));
        }
    }
}
