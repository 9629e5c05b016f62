package dev.windrow.gather.testing;

import java.net.URI;
import java.nio.file.Path;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.windrow.dataset.DatasetsYaml;
import dev.windrow.local.LocalAws;
import dev.windrow.local.LocalAwsOptions;
import dev.windrow.provision.TableSpec;
import dev.windrow.table.TableSchema;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;

/**
 * Starts the embedded DynamoDB for a service under test, on a free port. The table is created with the indexes of its datasets'
 * leaderboards, because DynamoDB Local takes minutes to add one to an existing table.
 */
public class EmbeddedTable implements QuarkusTestResourceLifecycleManager {

    private static final Path DATASETS = Path.of("src/test/resources/datasets.yaml");

    private @Nullable LocalAws localAws;

    @Override
    public Map<String, String> start() {
        TableSpec table = new TableSpec(TableSchema.TABLE, DatasetsYaml.read(DATASETS).rankedMeasures());
        LocalAws started = LocalAws.start(LocalAwsOptions.forTests().withTable(table));
        localAws = started;
        return settings(started.dynamoDbEndpoint());
    }

    static Map<String, String> settings(URI endpoint) {
        return Map.of(
                "quarkus.dynamodb.endpoint-override", endpoint.toString(),
                "quarkus.dynamodb.aws.region", "us-east-1",
                "quarkus.dynamodb.aws.credentials.type", "static",
                "quarkus.dynamodb.aws.credentials.static-provider.access-key-id", "windrow",
                "quarkus.dynamodb.aws.credentials.static-provider.secret-access-key", "windrow");
    }

    @Override
    public void stop() {
        if (localAws != null) {
            localAws.close();
        }
    }
}
