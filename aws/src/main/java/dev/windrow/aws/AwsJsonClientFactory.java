package dev.windrow.aws;

import java.net.URI;
import java.time.Clock;
import java.util.concurrent.Executor;

import dev.windrow.aws.AwsJsonClient.Route;
import dev.windrow.base.LogKey;
import dev.windrow.base.StructuredLogger;
import io.vertx.core.Vertx;
import software.amazon.awssdk.awscore.AwsServiceClientConfiguration;
import software.amazon.awssdk.awscore.endpoint.DualstackEnabledProvider;
import software.amazon.awssdk.awscore.endpoint.FipsEnabledProvider;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.endpoints.DynamoDbEndpointParams;
import software.amazon.awssdk.services.dynamodb.endpoints.DynamoDbEndpointProvider;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.endpoints.SqsEndpointParams;
import software.amazon.awssdk.services.sqs.endpoints.SqsEndpointProvider;

/**
 * Creates clients with the credentials and the endpoint of the SDK's clients: the configured endpoint, or else that of their
 * region.
 *
 * @param mayBlock resolves credentials, which may block
 */
public record AwsJsonClientFactory(Vertx vertx, NetworkSettings network, Executor mayBlock, Clock clock) {

    private static final StructuredLogger LOG = StructuredLogger.of(AwsJsonClientFactory.class);

    /** @param connections maximum number of requests in flight */
    public AwsJsonClient sqs(SqsAsyncClient sdk, int connections) {
        AwsServiceClientConfiguration client = sdk.serviceClientConfiguration();
        return client(client, "sqs", client.endpointOverride().orElseGet(() -> SqsEndpointProvider.defaultProvider()
                .resolveEndpoint(SqsEndpointParams.builder().region(client.region()).useFips(fips()).useDualStack(dualStack())
                        .build())
                .join().url()), connections);
    }

    /** @param connections maximum number of requests in flight */
    public AwsJsonClient dynamoDb(DynamoDbAsyncClient sdk, int connections) {
        AwsServiceClientConfiguration client = sdk.serviceClientConfiguration();
        return client(client, "dynamodb", client.endpointOverride().orElseGet(() -> DynamoDbEndpointProvider
                .defaultProvider().resolveEndpoint(DynamoDbEndpointParams.builder().region(client.region()).useFips(fips())
                        .useDualStack(dualStack()).build())
                .join().url()), connections);
    }

    private static boolean fips() {
        return FipsEnabledProvider.builder().build().isFipsEnabled().orElse(false);
    }

    private static boolean dualStack() {
        return DualstackEnabledProvider.builder().build().isDualstackEnabled().orElse(false);
    }

    private AwsJsonClient client(AwsServiceClientConfiguration sdk, String service, URI uri, int connections) {
        SignerCache signers = new SignerCache(sdk.credentialsProvider()::resolveIdentity,
                identity -> new SigV4Signer(identity, service, sdk.region().id(), Route.path(uri)), mayBlock, clock,
                failure -> LOG.warn("credentials could not be refreshed; using the previous ones until they expire",
                        LogKey.REASON.of(AwsErrors.reason(failure).word()),
                        LogKey.ERROR.of(AwsErrors.cause(failure).getMessage())));
        return new AwsJsonClient(vertx, uri, network, connections, signers, clock);
    }
}
