package dev.windrow.writer.operate;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

import dev.windrow.provision.QueueProvisioner;
import dev.windrow.provision.QueueProvisioner.ProvisionedQueues;
import dev.windrow.provision.QueueProvisioner.QueueSpec;
import dev.windrow.provision.TableProvisioner;
import dev.windrow.provision.TableProvisioner.TableSpec;
import dev.windrow.provision.TableProvisioner.WaiterPolicy;
import dev.windrow.writer.operate.WriterMain.CommandClients;
import dev.windrow.writer.operate.WriterMain.CommandSettings;
import io.smallrye.config.ConfigMapping;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;

/** Creates table, indexes, expiry and queues, those that are missing; idempotent. */
final class Provision {

    private Provision() {
    }

    /** @throws IllegalArgumentException a name is wrong, or the URL of a queue; the message has the setting */
    static String run(CommandSettings settings) {
        TableSpec.requireName(CommandSettings.TABLE, settings.table());
        QueueSpec.requireName(CommandSettings.QUEUE, settings.queue());
        QueueSpec.requireName(CommandSettings.DEAD_LETTER_QUEUE, settings.deadLetterQueue());
        TableSpec table = TableSpec.named(settings.table()).withRanks(settings.rankedMeasures());
        QueueSpec queue = QueueSpec.named(settings.queue()).withDeadLetterName(settings.deadLetterQueue());
        try (DynamoDbAsyncClient dynamoDb = CommandClients.dynamoDb(settings);
                SqsAsyncClient sqs = CommandClients.sqs(settings)) {
            TableProvisioner.Outcome outcome = CommandClients
                    .await(new TableProvisioner(dynamoDb, WaiterPolicy.defaults()).provision(table));
            ProvisionedQueues queues = CommandClients.await(new QueueProvisioner(sqs).provision(queue));
            return "table %s: %s%nqueue: %s%ndead-letter queue: %s".formatted(table.name(),
                    outcome.name().toLowerCase(Locale.ROOT), queues.url(), queues.deadLetterUrl());
        }
    }

    /** Settings of the command {@code provision}. */
    @ConfigMapping(prefix = "windrow.provision")
    public interface ProvisionConfig {

        /**
         * Measures that get an index for leaderboards, besides those that the datasets file, if there is one, declares.
         *
         * @return names of measures, 19 at most
         */
        Optional<List<String>> rankedMeasures();
    }
}
