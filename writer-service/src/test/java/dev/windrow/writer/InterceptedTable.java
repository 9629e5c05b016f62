package dev.windrow.writer;

import java.net.URI;

import dev.windrow.local.TestClients;
import dev.windrow.local.fault.Fault;
import dev.windrow.local.fault.FaultPlan;
import dev.windrow.local.fault.FaultProxy;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** A table behind a proxy, and a client of it. */
record InterceptedTable(FaultProxy proxy, DynamoDbAsyncClient client) implements AutoCloseable {

    static InterceptedTable at(URI endpoint) {
        FaultProxy proxy = FaultProxy.start(endpoint, FaultPlan.none());
        return new InterceptedTable(proxy, TestClients.dynamoDb(proxy.endpoint()));
    }

    /** Cuts all updates of buckets: claims succeed, and nothing of them is applied. */
    void cutBuckets() {
        proxy.use(request -> request.operation().equals("UpdateItem")
                && request.partitionKey().filter(key -> !key.startsWith("~")).isPresent() ? new Fault.CutBefore()
                        : new Fault.Pass());
    }

    /** From now on nothing arrives, as from a process that is killed. */
    void cut() {
        proxy.use(FaultPlan.always(new Fault.CutBefore()));
    }

    /** From now on everything passes. */
    void mend() {
        proxy.use(FaultPlan.none());
    }

    /** How many requests have come in. */
    long requests() {
        return proxy.audit().requests().values().stream().mapToLong(Long::longValue).sum();
    }

    @Override
    public void close() {
        client.close();
        proxy.close();
    }
}
