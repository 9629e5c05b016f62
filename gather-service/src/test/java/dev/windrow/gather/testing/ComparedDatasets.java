package dev.windrow.gather.testing;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;

import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Datasets;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** The same events in several datasets, whose answers are compared. */
public final class ComparedDatasets {

    private final Map<Dataset, Aggregated> byDataset = new LinkedHashMap<>();

    public ComparedDatasets(String tenant, Datasets datasets, List<String> names) {
        names.forEach(name -> {
            Dataset dataset = datasets.named(name).orElseThrow();
            byDataset.put(dataset, new Aggregated(tenant, dataset, new SplittableRandom(1)));
        });
    }

    /** Adds an event to each dataset, in the dataset's form. */
    public void event(BiConsumer<Dataset, Aggregated> event) {
        byDataset.forEach(event);
    }

    public void writeTo(DynamoDbAsyncClient client, String table) {
        byDataset.values().forEach(events -> events.writeTo(client, table));
    }
}
