package dev.windrow.local.network;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import dev.windrow.aws.AwsErrors;
import dev.windrow.aws.AwsJsonClientFactory;
import dev.windrow.aws.AwsResponse;
import dev.windrow.aws.CredentialsHttp;
import dev.windrow.aws.NetworkSettings;
import dev.windrow.aws.SdkHttp;
import dev.windrow.base.Reason;
import dev.windrow.local.LocalAws;
import dev.windrow.local.LocalAwsOptions;
import dev.windrow.local.TestClients;
import dev.windrow.testing.Patience;
import io.vertx.core.Vertx;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.DefaultRetryStrategy;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** All clients of AWS behind a proxy and with a private certificate authority. */
class PrivateNetworkTest {

    private static final String NAME = "dynamodb.windrow.test";
    private static final Duration PATIENCE = Patience.LIMIT;

    private static LocalAws aws;
    private static PrivateAuthority authority;
    private static PrivateNetwork network;
    private static Vertx vertx;
    private static URI https;
    private static URI http;

    @BeforeAll
    static void start() {
        aws = LocalAws.start(LocalAwsOptions.forTests().withoutProvisioning());
        authority = PrivateAuthority.create(NAME, "localhost");
        network = PrivateNetwork.start(authority);
        https = network.publishTls(NAME, aws.dynamoDbEndpoint());
        http = network.publish(NAME, aws.dynamoDbEndpoint());
        vertx = Vertx.vertx();
    }

    @AfterAll
    static void stop() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
        network.close();
        aws.close();
    }

    @AfterEach
    void forget() {
        System.clearProperty("software.amazon.awssdk.http.service.impl");
    }

    @Test
    void theWireClientTunnelsToATlsEndpointOfAPrivateAuthority() {
        int before = passed("CONNECT " + NAME + ":443");

        AwsResponse answer = post(behindProxy(), https);

        assertThat(new String(answer.body(), UTF_8)).isEqualTo("{\"TableNames\":[]}");
        assertThat(passed("CONNECT " + NAME + ":443")).isEqualTo(before + 1);
    }

    @Test
    void theWireClientHasAnHttpProxyForwardPlainRequests() {
        assertThat(post(behindProxy(), http).isOk()).isTrue();

        assertThat(network.passed()).contains("POST http://" + NAME + "/");
    }

    @Test
    void aPrivateAuthorityIsTrustedWithoutAProxyAsWell() {
        URI endpoint = network.terminateTls(aws.dynamoDbEndpoint());
        NetworkSettings settings = NetworkSettings.of(name -> Optional.empty(), Optional.of(authority.bundle()));

        assertThat(post(settings, endpoint).isOk()).isTrue();
        assertThatThrownBy(() -> post(NetworkSettings.direct(), endpoint))
                .satisfies(failure -> assertThat(AwsErrors.reason(failure)).isEqualTo(Reason.UNAVAILABLE));
    }

    @Test
    void aCertificateForAnotherNameIsRefused() {
        URI endpoint = URI.create(network.terminateTls(aws.dynamoDbEndpoint()).toString().replace("localhost", "127.0.0.1"));
        NetworkSettings settings = NetworkSettings.of(name -> Optional.empty(), Optional.of(authority.bundle()));

        assertThatThrownBy(() -> post(settings, endpoint)).hasStackTraceContaining("No subject alternative names");
        assertThatThrownBy(() -> tables(settings, endpoint)).hasStackTraceContaining("No subject alternative names");
    }

    @Test
    void aProxyThatWantsAPasswordRefusesWhoHasNone() {
        NetworkSettings settings = settings(network.proxy(), Optional.of(authority.bundle()));

        assertThatThrownBy(() -> post(settings, https))
                .satisfies(failure -> assertThat(AwsErrors.reason(failure)).isEqualTo(Reason.UNAVAILABLE));
        AwsResponse.Refusal refusal = post(settings, http).refusal();
        assertThat(AwsErrors.reason(refusal.type(), refusal.status(), refusal.message())).isEqualTo(Reason.UNKNOWN_ERROR);
    }

    @Test
    void theSdksClientsTakeTheSameWay() {
        int before = passed("CONNECT " + NAME + ":443");

        assertThat(tables(behindProxy(), https)).isZero();

        assertThat(passed("CONNECT " + NAME + ":443")).isEqualTo(before + 1);
        assertThatThrownBy(() -> tables(settings(network.proxyWithLogin(), Optional.empty()), https))
                .isInstanceOf(CompletionException.class);
    }

    @Test
    void credentialProvidersTakeTheSameWay() throws IOException {
        int before = passed("CONNECT " + NAME + ":443");
        CredentialsHttp.use(behindProxy());

        try (SdkHttpClient client = new CredentialsHttp().createHttpClientBuilder().build()) {
            HttpExecuteResponse answer = client.prepareRequest(HttpExecuteRequest.builder().request(
                    SdkHttpRequest.builder().method(SdkHttpMethod.GET).uri(https).build()).build()).call();

            assertThat(answer.httpResponse().statusCode()).isPositive();
        }
        assertThat(passed("CONNECT " + NAME + ":443")).isEqualTo(before + 1);
        assertThat(System.getProperty("software.amazon.awssdk.http.service.impl"))
                .isEqualTo(CredentialsHttp.class.getName());
    }

    private static int passed(String what) {
        return (int) network.passed().stream().filter(what::equals).count();
    }

    private static NetworkSettings behindProxy() {
        return settings(network.proxyWithLogin(), Optional.of(authority.bundle()));
    }

    private static NetworkSettings settings(URI proxy, Optional<Path> bundle) {
        Map<String, String> environment = Map.of("HTTPS_PROXY", proxy.toString(), "http_proxy", proxy.toString());
        return NetworkSettings.of(name -> Optional.ofNullable(environment.get(name)), bundle);
    }

    private static AwsResponse post(NetworkSettings settings, URI endpoint) {
        try (DynamoDbAsyncClient sdk = TestClients.dynamoDb(endpoint)) {
            return new AwsJsonClientFactory(vertx, settings, Runnable::run, Clock.systemUTC()).dynamoDb(sdk, 1)
                    .post("DynamoDB_20120810.ListTables", "{}".getBytes(UTF_8), PATIENCE).await().atMost(PATIENCE);
        }
    }

    private static int tables(NetworkSettings settings, URI endpoint) {
        try (DynamoDbAsyncClient sdk = sdk(settings, endpoint)) {
            return sdk.listTables().join().tableNames().size();
        }
    }

    private static DynamoDbAsyncClient sdk(NetworkSettings settings, URI endpoint) {
        return DynamoDbAsyncClient.builder().endpointOverride(endpoint).region(Region.US_EAST_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("windrow", "windrow")))
                .overrideConfiguration(override -> override.retryStrategy(DefaultRetryStrategy.doNotRetry()))
                .httpClientBuilder(SdkHttp.async(settings, Optional.of(endpoint))).build();
    }
}
