package dev.windrow.gather.testing;

import java.util.SplittableRandom;

import jakarta.inject.Inject;

import dev.windrow.dataset.Datasets;
import io.quarkus.test.common.QuarkusTestResource;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** The base class of tests of a service with a table. */
@QuarkusTestResource(EmbeddedTable.class)
public abstract class TableTest {

    @Inject
    protected DynamoDbAsyncClient client;

    @Inject
    protected Datasets datasets;

    protected Aggregated events(String tenant, String dataset) {
        return new Aggregated(tenant, datasets.named(dataset).orElseThrow(), new SplittableRandom(1));
    }
}
