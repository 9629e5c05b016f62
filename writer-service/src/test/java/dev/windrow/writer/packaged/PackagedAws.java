package dev.windrow.writer.packaged;

import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

import dev.windrow.local.LocalAws;
import dev.windrow.local.LocalAwsOptions;
import dev.windrow.local.StsServer;
import dev.windrow.local.network.PrivateAuthority;
import dev.windrow.local.network.PrivateNetwork;
import dev.windrow.testing.FreePort;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;

/**
 * Queue and table for a packaged writer, which has a web identity and can reach them, and the token service, only through a
 * proxy and with a private certificate authority.
 */
public class PackagedAws implements QuarkusTestResourceLifecycleManager {

    static final String DYNAMO_DB = "dynamodb.windrow.test";
    static final String SQS = "sqs.windrow.test";
    static final String STS = "sts.windrow.test";

    private LocalAws aws;
    private StsServer tokens;
    private PrivateNetwork network;
    private URI management;

    @Override
    public Map<String, String> start() {
        aws = LocalAws.start(LocalAwsOptions.forTests());
        tokens = StsServer.start();
        PrivateAuthority authority = PrivateAuthority.create(DYNAMO_DB, SQS, STS);
        network = PrivateNetwork.start(authority);
        Map<String, String> settings = new HashMap<>(tokens.settings());
        settings.put("aws.endpointUrlSts", network.publishTls(STS, tokens.endpoint()).toString());
        settings.put("HTTPS_PROXY", network.proxyWithLogin().toString());
        settings.put("windrow.aws.ca-bundle", authority.bundle().toString());
        settings.put("windrow.datasets-file", Path.of("src/test/resources/datasets.yaml").toAbsolutePath().toString());
        settings.put("windrow.writer.aggregate.max-age", "100ms");
        settings.put("quarkus.dynamodb.endpoint-override", network.publishTls(DYNAMO_DB, aws.dynamoDbEndpoint()).toString());
        settings.put("quarkus.sqs.endpoint-override", network.publishTls(SQS, aws.sqsEndpoint()).toString());
        settings.put("windrow.writer.management.enabled", "true");
        // Tests of a packaged service do not learn the management port that it chooses itself.
        management = URI.create("http://127.0.0.1:" + FreePort.find());
        settings.put("quarkus.management.port", Integer.toString(management.getPort()));
        return settings;
    }

    @Override
    public void inject(TestInjector injector) {
        injector.injectIntoFields(aws, new TestInjector.MatchesType(LocalAws.class));
        injector.injectIntoFields(tokens, new TestInjector.MatchesType(StsServer.class));
        injector.injectIntoFields(network, new TestInjector.MatchesType(PrivateNetwork.class));
        injector.injectIntoFields(management, new TestInjector.MatchesType(URI.class));
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
