package dev.windrow.gather.fanout.dynamo;

import java.net.URI;

import software.amazon.awssdk.awscore.endpoint.DualstackEnabledProvider;
import software.amazon.awssdk.awscore.endpoint.FipsEnabledProvider;
import software.amazon.awssdk.services.dynamodb.DynamoDbServiceClientConfiguration;
import software.amazon.awssdk.services.dynamodb.endpoints.DynamoDbEndpointParams;
import software.amazon.awssdk.services.dynamodb.endpoints.DynamoDbEndpointProvider;

/** Where an SDK client's requests go, by the SDK's own rules. */
final class QueryEndpoint {

    private QueryEndpoint() {
    }

    /** The endpoint it was given, or else that of its region; a service in one region has no other. */
    static URI of(DynamoDbServiceClientConfiguration client) {
        return client.endpointOverride().orElseGet(() -> DynamoDbEndpointProvider.defaultProvider()
                .resolveEndpoint(DynamoDbEndpointParams.builder().region(client.region())
                        .useFips(FipsEnabledProvider.builder().build().isFipsEnabled().orElse(false))
                        .useDualStack(DualstackEnabledProvider.builder().build().isDualstackEnabled().orElse(false))
                        .build())
                .join().url());
    }
}
