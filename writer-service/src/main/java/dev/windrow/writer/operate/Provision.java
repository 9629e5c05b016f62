package dev.windrow.writer.operate;

import java.util.Locale;

import dev.windrow.provision.ProvisionedQueues;
import dev.windrow.provision.QueueProvisioner;
import dev.windrow.provision.QueueSpec;
import dev.windrow.provision.TableProvisioner;
import dev.windrow.provision.TableSpec;
import dev.windrow.provision.WaiterPolicy;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;

/** Creates the table, indexes, expiry and queues that are missing; idempotent. */
final class Provision {

    private Provision() {
    }

    /** @throws IllegalArgumentException if a name or the URL of a queue is wrong; the message names the setting */
    static String run(CommandSettings settings) {
        TableSpec.requireName(CommandSettings.TABLE, settings.table());
        QueueSpec.requireName(CommandSettings.QUEUE, settings.queue());
        QueueSpec.requireName(CommandSettings.DEAD_LETTER_QUEUE, settings.deadLetterQueue());
        TableSpec table = new TableSpec(settings.table(), settings.rankedMeasures());
        QueueSpec queue = QueueSpec.named(settings.queue()).withDeadLetterName(settings.deadLetterQueue());
        try (DynamoDbAsyncClient dynamoDb = settings.dynamoDb();
                SqsAsyncClient sqs = settings.sqs()) {
            TableProvisioner.Outcome outcome = new TableProvisioner(dynamoDb, WaiterPolicy.defaults()).provision(table);
            ProvisionedQueues queues = new QueueProvisioner(sqs).provision(queue);
            return "table %s: %s%nqueue: %s%ndead-letter queue: %s".formatted(table.name(),
                    outcome.name().toLowerCase(Locale.ROOT), queues.url(), queues.deadLetterUrl());
        }
    }

}
