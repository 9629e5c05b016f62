package dev.windrow.writer.store;

import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** The same through the SDK. */
class SdkExactlyOnceStoreTest extends ExactlyOnceStoreTest {

    @Override
    TableWrites table(DynamoDbAsyncClient dynamoDb, String table) {
        return new DynamoTable(dynamoDb, table);
    }
}
