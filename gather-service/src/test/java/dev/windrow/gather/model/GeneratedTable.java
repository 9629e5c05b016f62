package dev.windrow.gather.model;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.DatasetsYaml;
import dev.windrow.gather.testing.FaultyTable;
import dev.windrow.local.LocalAws;
import dev.windrow.local.LocalAwsOptions;
import dev.windrow.provision.TableSpec;
import dev.windrow.table.TableSchema;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** The generated world behind an embedded DynamoDB that the service reaches through a proxy, which injects faults. */
public class GeneratedTable extends FaultyTable {

    /** The argument for the datasets with retention. */
    static final String FORGETFUL = "forgetful";

    private List<ModelDataset> world = World.DATASETS;
    private String datasetsFile = "";

    @Override
    public void init(Map<String, String> arguments) {
        world = arguments.containsKey(FORGETFUL) ? World.FORGETFUL : World.DATASETS;
    }

    @Override
    protected LocalAws startTable() {
        Path file = write(World.yaml(world));
        datasetsFile = file.toString();
        Datasets datasets = DatasetsYaml.read(file);
        LocalAws started = LocalAws.start(LocalAwsOptions.forTests()
                .withTable(new TableSpec(TableSchema.TABLE, datasets.rankedMeasures())));
        store(started.dynamoDb(), datasets);
        return started;
    }

    @Override
    protected Map<String, String> bounds() {
        // Few answers at a time, so that many clients reach the limit. Attempts and answers get more time, as the embedded
        // table shares the machine with the tests; the breaker closes soon, as tests of faults open it.
        return Map.of(
                "windrow.datasets-file", datasetsFile,
                "windrow.gather.fanout.max-queries", "12",
                "windrow.gather.fanout.max-queued-queries", "12",
                "windrow.gather.api.default-timeout", "30S",
                "test.attempt-timeout", "10S",
                "test.lanes-timeout", "20S",
                "test.breaker-delay", "100MS");
    }

    private void store(DynamoDbAsyncClient client, Datasets datasets) {
        for (ModelDataset model : world) {
            Dataset dataset = datasets.named(model.name()).orElseThrow();
            boolean late = model.name().equals(World.LATE);
            RandomGenerator written = World.random(2);
            model.events().forEach((tenant, events) -> StoredItems.put(client, TableSchema.TABLE,
                    StoredItems.of(dataset, tenant, events, World.random(1), key -> !late || written.nextBoolean())));
            if (!late && !dataset.ranks().isEmpty()) {
                new LateRank(client, TableSchema.TABLE).markComplete(dataset);
            }
        }
    }

    private static Path write(String yaml) {
        try {
            Path file = Files.createTempFile("windrow-datasets", ".yaml");
            file.toFile().deleteOnExit();
            return Files.writeString(file, yaml);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
