package dev.windrow.local.fault;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** What tests share that reach the embedded DynamoDB through a proxy of their own. */
abstract class ProxiedDynamoDbTest {

    static DynamoDbBehindProxy dynamoDb;

    FaultProxy proxy;
    DynamoDbAsyncClient client;

    @BeforeAll
    static void startDynamoDb() {
        dynamoDb = new DynamoDbBehindProxy();
    }

    @AfterAll
    static void stopDynamoDb() {
        dynamoDb.close();
    }

    @BeforeEach
    void startProxy() {
        proxy = FaultProxy.start(dynamoDb.endpoint(), FaultPlan.none());
        client = DynamoDbBehindProxy.client(proxy.endpoint());
    }

    @AfterEach
    void stopProxy() {
        client.close();
        proxy.close();
    }
}
