package dev.windrow.gather.model;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

import org.jspecify.annotations.Nullable;

import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.DatasetsYaml;
import dev.windrow.local.LocalAws;
import dev.windrow.local.LocalAwsOptions;
import dev.windrow.local.fault.FaultPlan;
import dev.windrow.local.fault.FaultProxy;
import dev.windrow.provision.TableProvisioner.TableSpec;
import dev.windrow.table.TableSchema;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** The generated world behind an embedded DynamoDB that the service reaches through a proxy, which plays its faults. */
public class GeneratedTable implements QuarkusTestResourceLifecycleManager {

    /** The argument for the datasets that forget. */
    static final String FORGETFUL = "forgetful";

    private List<ModelDataset> world = World.DATASETS;
    private @Nullable LocalAws localAws;
    private @Nullable FaultProxy proxy;
    private @Nullable Path datasetsFile;

    @Override
    public void init(Map<String, String> arguments) {
        world = arguments.containsKey(FORGETFUL) ? World.FORGETFUL : World.DATASETS;
    }

    @Override
    public Map<String, String> start() {
        Path file = write(World.yaml(world));
        datasetsFile = file;
        Datasets datasets = DatasetsYaml.read(file);
        LocalAws started = LocalAws.start(LocalAwsOptions.forTests()
                .withTable(TableSpec.defaults().withRanks(datasets.rankedMeasures())));
        localAws = started;
        FaultProxy startedProxy = FaultProxy.start(started.dynamoDbEndpoint(), FaultPlan.none());
        proxy = startedProxy;
        store(started.dynamoDb(), datasets);
        Map<String, String> settings = new HashMap<>(Map.of(
                "quarkus.dynamodb.endpoint-override", startedProxy.endpoint().toString(),
                "quarkus.dynamodb.aws.region", "us-east-1",
                "quarkus.dynamodb.aws.credentials.type", "static",
                "quarkus.dynamodb.aws.credentials.static-provider.access-key-id", "windrow",
                "quarkus.dynamodb.aws.credentials.static-provider.secret-access-key", "windrow",
                "windrow.datasets-file", file.toString()));
        // Few answers at a time, so that a crowd meets the limit. Attempts and answers are given time, as the embedded table
        // shares its machine with these tests and others; a breaker closes soon, as tests of faults open it.
        settings.put("windrow.gather.fanout.max-queries", "12");
        settings.put("windrow.gather.fanout.max-queued-queries", "12");
        settings.put("windrow.gather.api.default-timeout", "30S");
        settings.put("test.attempt-timeout", "10S");
        settings.put("test.lanes-timeout", "20S");
        settings.put("test.breaker-delay", "100MS");
        return settings;
    }

    @Override
    public void inject(TestInjector injector) {
        injector.injectIntoFields(proxy, new TestInjector.MatchesType(FaultProxy.class));
        injector.injectIntoFields(localAws, new TestInjector.MatchesType(LocalAws.class));
    }

    @Override
    public void stop() {
        if (proxy != null) {
            proxy.close();
        }
        if (localAws != null) {
            localAws.close();
        }
        delete(datasetsFile);
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
            return Files.writeString(Files.createTempFile("windrow-datasets", ".yaml"), yaml);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(@Nullable Path file) {
        try {
            if (file != null) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
