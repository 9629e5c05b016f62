package dev.windrow.gather.packaged;

import java.net.URI;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;

import org.jspecify.annotations.Nullable;

import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.DatasetsYaml;
import dev.windrow.gather.testing.Aggregated;
import dev.windrow.local.LocalAws;
import dev.windrow.local.LocalAwsOptions;
import dev.windrow.local.StsServer;
import dev.windrow.local.network.PrivateAuthority;
import dev.windrow.local.network.PrivateNetwork;
import dev.windrow.table.Label;
import dev.windrow.testing.FreePort;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;

/**
 * A table with half an hour of clicks, and one click of now, for a packaged service. The service has a web identity and reaches
 * the table and the token service only through a proxy and with a private certificate authority.
 */
public class PackagedTable implements QuarkusTestResourceLifecycleManager {

    /** The label of the event that happened when the table was created. */
    static final String NOW = "now";
    static final String DYNAMO_DB = "dynamodb.windrow.test";
    static final String STS = "sts.windrow.test";

    private @Nullable LocalAws aws;
    private @Nullable StsServer tokens;
    private @Nullable PrivateNetwork network;
    private @Nullable URI management;

    @Override
    public Map<String, String> start() {
        Path datasetsFile = Path.of("src/test/resources/datasets.yaml").toAbsolutePath();
        LocalAws startedAws = LocalAws.start(LocalAwsOptions.forTests());
        aws = startedAws;
        Datasets datasets = DatasetsYaml.read(datasetsFile);
        Aggregated clicks = new Aggregated("default", datasets.named("clicks").orElseThrow(), new SplittableRandom(1));
        for (int minute = 10; minute < 40; minute++) {
            clicks.event("https://a.example/?ä=1", "2026-11-20T10:" + minute + ":07Z")
                    .event("b", "2026-11-20T10:" + minute + ":08Z");
        }
        clicks.event(Label.of(NOW), Instant.now(), "1");
        clicks.writeTo(startedAws.dynamoDb(), startedAws.tableName());
        StsServer startedTokens = StsServer.start();
        tokens = startedTokens;
        PrivateAuthority authority = PrivateAuthority.create(DYNAMO_DB, STS);
        PrivateNetwork startedNetwork = PrivateNetwork.start(authority);
        network = startedNetwork;
        Map<String, String> settings = new HashMap<>(startedTokens.settings());
        settings.put("aws.endpointUrlSts", startedNetwork.publishTls(STS, startedTokens.endpoint()).toString());
        settings.put("HTTPS_PROXY", startedNetwork.proxyWithLogin().toString());
        settings.put("windrow.aws.ca-bundle", authority.bundle().toString());
        settings.put("windrow.datasets-file", datasetsFile.toString());
        settings.put("quarkus.dynamodb.endpoint-override",
                startedNetwork.publishTls(DYNAMO_DB, startedAws.dynamoDbEndpoint()).toString());
        // Build machines may be slow, and speed is not tested.
        settings.put("windrow.gather.api.default-timeout", "60S");
        settings.put("windrow.gather.api.max-timeout", "60S");
        // Tests of a packaged service cannot find out a management port that it chooses itself.
        management = URI.create("http://127.0.0.1:" + FreePort.find());
        settings.put("quarkus.management.port", Integer.toString(management.getPort()));
        return settings;
    }

    @Override
    public void inject(TestInjector injector) {
        injector.injectIntoFields(tokens, new TestInjector.MatchesType(StsServer.class));
        injector.injectIntoFields(network, new TestInjector.MatchesType(PrivateNetwork.class));
        injector.injectIntoFields(management, field -> field.getName().equals("management"));
    }

    @Override
    public void stop() {
        if (network != null) {
            network.close();
        }
        if (aws != null) {
            aws.close();
        }
        if (tokens != null) {
            tokens.close();
        }
    }
}
