package dev.windrow.writer.command;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.DatasetsYaml;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;

/**
 * Posts events to the queue and waits until the gatherer answers with exactly their totals. The events stay, under a label
 * of their own, and in the totals of datasets of their type that have no label.
 */
final class Check {

    private Check() {
    }

    /** @throws IllegalStateException if the gatherer does not return the expected totals in time */
    static String run(CommandSettings settings) {
        Datasets datasets = DatasetsYaml.read(settings.datasetsFile());
        Dataset dataset = dataset(datasets, settings.checkDataset());
        CheckEvents events = CheckEvents.of(datasets, dataset);
        // Before anything is posted, as settings may be missing or wrong.
        CheckTotals totals = new CheckTotals(settings.checkGather(), settings.checkApiKey());
        Duration timeout = settings.checkTimeout();
        send(settings, events.message(Instant.now()));
        totals.await(events, timeout);
        return "%d events of dataset %s posted and answered exactly".formatted(CheckEvents.EVENTS, dataset.name());
    }

    /** The named dataset, or the first that has a label: totals of one without are never those of some events alone. */
    static Dataset dataset(Datasets datasets, Optional<String> name) {
        List<Dataset> labeled = datasets.all().stream().filter(dataset -> !dataset.label().isEmpty()).toList();
        return labeled.stream().filter(dataset -> name.isEmpty() || name.get().equals(dataset.name())).findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "windrow.check.dataset: expected a dataset with a label, which keeps the check's events apart, "
                                + "one of " + labeled.stream().map(Dataset::name).toList() + ", found "
                                + name.orElse("nothing")));
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
