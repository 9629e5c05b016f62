package dev.windrow.writer.lifecycle;

import java.util.concurrent.ScheduledExecutorService;

import dev.windrow.writer.acknowledge.AcknowledgeConfig;
import dev.windrow.writer.acknowledge.Acknowledger;
import dev.windrow.writer.source.MessageReceiver;
import dev.windrow.writer.source.SdkReceives;
import dev.windrow.writer.source.SourceConfig;
import dev.windrow.writer.store.DynamoTable;
import dev.windrow.writer.store.TableWrites;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;

/** All by the SDK. */
final class SdkTransport implements Transport {

    private final SqsAsyncClient sqs;
    private final DynamoDbAsyncClient dynamoDb;
    private final SourceConfig source;
    private final AcknowledgeConfig acknowledge;

    SdkTransport(SqsAsyncClient sqs, DynamoDbAsyncClient dynamoDb, SourceConfig source, AcknowledgeConfig acknowledge) {
        this.sqs = sqs;
        this.dynamoDb = dynamoDb;
        this.source = source;
        this.acknowledge = acknowledge;
    }

    @Override
    public MessageReceiver receives() {
        return new SdkReceives(sqs, source.receiveWait());
    }

    @Override
    public TableWrites table(String name) {
        return new DynamoTable(dynamoDb, name);
    }

    @Override
    public Acknowledger acknowledger(ScheduledExecutorService timer) {
        return new Acknowledger(sqs, acknowledge, timer);
    }
}
