package dev.windrow.writer.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

import dev.windrow.local.LocalAws;
import dev.windrow.local.LocalAwsOptions;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;

/** Starts the embedded servers before the writer, and points the writer to them. */
public class EmbeddedAws implements QuarkusTestResourceLifecycleManager {

    private LocalAws aws;

    @Override
    public Map<String, String> start() {
        aws = LocalAws.start(LocalAwsOptions.forTests());
        Map<String, String> settings = new HashMap<>();
        settings.put("quarkus.dynamodb.endpoint-override", aws.dynamoDbEndpoint().toString());
        settings.put("quarkus.sqs.endpoint-override", aws.sqsEndpoint().toString());
        for (String client : new String[] { "dynamodb", "sqs" }) {
            settings.put("quarkus." + client + ".aws.region", "us-east-1");
            settings.put("quarkus." + client + ".aws.credentials.type", "static");
            settings.put("quarkus." + client + ".aws.credentials.static-provider.access-key-id", "windrow");
            settings.put("quarkus." + client + ".aws.credentials.static-provider.secret-access-key", "windrow");
        }
        settings.put("windrow.datasets-file", "src/test/resources/datasets.yaml");
        settings.put("windrow.writer.aggregate.max-age", "100ms");
        settings.put("windrow.writer.management.enabled", "true");
        settings.put("quarkus.log.file.enabled", "true");
        settings.put("quarkus.log.file.path", logFile().toString());
        return settings;
    }

    private static Path logFile() {
        try {
            Path file = Files.createTempFile("windrow-writer", ".log");
            file.toFile().deleteOnExit();
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void inject(TestInjector injector) {
        injector.injectIntoFields(aws, new TestInjector.MatchesType(LocalAws.class));
    }

    @Override
    public void stop() {
        if (aws != null) {
            aws.close();
        }
    }
}
