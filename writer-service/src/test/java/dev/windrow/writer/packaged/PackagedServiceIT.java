package dev.windrow.writer.packaged;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.math.BigDecimal;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.windrow.local.LocalAws;
import dev.windrow.local.LocalAwsOptions;
import dev.windrow.local.StsServer;
import dev.windrow.local.network.PrivateAuthority;
import dev.windrow.local.network.PrivateNetwork;
import dev.windrow.testing.FreePort;
import dev.windrow.testing.Patience;
import dev.windrow.writer.testing.Buckets;
import dev.windrow.writer.testing.Gzip;
import dev.windrow.writer.testing.TestQueue;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import io.quarkus.test.junit.QuarkusIntegrationTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.restassured.http.Header;
import io.restassured.response.Response;
import software.amazon.awssdk.services.sqs.model.Message;

/** Every format of messages, and every endpoint, with the packaged service. */
@QuarkusIntegrationTest
@Tag("slow")
@TestProfile(PackagedServiceIT.PackagedProfile.class)
class PackagedServiceIT {

    private static final Duration PATIENCE = Patience.LIMIT;
    private static final String UP_TO_REFERRER = "{\"type\":\"click\",\"time\":\"2026-11-20T10:31:32Z\","
            + "\"attributes\":{\"referrer\":\"";
    private static final String AFTER_REFERRER = "\",\"bytes\":5120.5}}";
    private static final String EVENT = UP_TO_REFERRER + "%1$s" + AFTER_REFERRER;
    private static final String ANOTHER = UP_TO_REFERRER + "another-%1$s" + AFTER_REFERRER;

    private LocalAws aws;
    private StsServer tokens;
    private PrivateNetwork network;

    private URI management;

    @ParameterizedTest
    @ValueSource(strings = {
            EVENT,
            "[" + ANOTHER + "," + EVENT + "]",
            ANOTHER + "\n" + EVENT + "\n",
            """
                    {"specversion":"1.0","id":"%1$s","source":"/shop","type":"click","time":"2026-11-20T10:31:32Z",
                     "datacontenttype":"application/json","data":{"referrer":"%1$s","bytes":5120.5}}""",
            """
                    {"version":"0","id":"17793124-05d4-b198-2fde-7ededc63b103","detail-type":"click","source":"shop",
                     "account":"123456789012","time":"2026-11-20T10:31:32Z","region":"us-east-1","resources":[],
                     "detail":{"referrer":"%1$s","bytes":5120.5}}""",
    })
    void everyFormatIsCounted(String format) {
        String referrer = "format-" + Integer.toHexString(format.hashCode());

        queue().send(format.formatted(referrer));

        requireCounted(referrer);
    }

    @Test
    void anSnsNotificationIsUnpacked() {
        String event = EVENT.formatted("sns").replace("\"", "\\\"");

        queue().send("""
                {"Type":"Notification","MessageId":"22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324",
                 "TopicArn":"arn:aws:sns:us-east-1:123456789012:clicks","Message":"%s",
                 "Timestamp":"2026-11-20T10:31:33.000Z","SignatureVersion":"1"}""".formatted(event));

        requireCounted("sns");
    }

    @Test
    void gzipIsUnpacked() {
        queue().send(Gzip.base64(EVENT.formatted("gzip")), Map.of("content-encoding", "gzip"));

        requireCounted("gzip");
    }

    @Test
    void whatCannotBeCountedBecomesADeadLetter() {
        queue().send("{\"type\":\"click\",\"time\":\"yesterday\",\"attributes\":{\"referrer\":\"bad\"}}");

        TestQueue deadLetters = new TestQueue(aws.sqs(), aws.deadLetterQueueUrl());
        List<Message> letters = new ArrayList<>();
        await().atMost(PATIENCE).until(() -> letters.addAll(deadLetters.drain()) || !letters.isEmpty());
        assertThat(letters).hasSize(1);
        assertThat(letters.get(0).messageAttributes().get("reason").stringValue()).isEqualTo("invalid-time");
    }

    @Test
    void operationsAreServedOnTheManagementPort() {
        assertThat(given().get(management.resolve("/manage/state")).jsonPath().getBoolean("paused")).isFalse();
        assertThat(given().post(management.resolve("/manage/pause")).jsonPath().getBoolean("paused")).isTrue();
        assertThat(given().post(management.resolve("/manage/resume")).jsonPath().getBoolean("paused")).isFalse();
        assertThat(given().get(management.resolve("/manage/dead-letters")).jsonPath().getList("items")).isNotNull();
        assertThat(given().post(management.resolve("/manage/dead-letters/replay")).jsonPath().getInt("replayed"))
                .isNotNegative();
        assertThat(given().get("/manage/state").statusCode()).isEqualTo(404);
    }

    /** A browser sends it to a forwarded port as well. */
    @Test
    void webPagesMayNotUseTheOperations() {
        for (Header header : List.of(new Header("Origin", "https://evil.example"), new Header("Sec-Fetch-Site", "same-origin"),
                new Header("Host", "evil.example"))) {
            Response refused = given().header(header).post(management.resolve("/manage/pause"));

            assertThat(refused.statusCode()).as(header.toString()).isEqualTo(403);
            assertThat(refused.header("Access-Control-Allow-Origin")).isNull();
        }
        Response state = given().get(management.resolve("/manage/state"));
        assertThat(state.jsonPath().getBoolean("paused")).isFalse();
        assertThat(state.header("Access-Control-Allow-Origin")).isNull();
    }

    @Test
    void healthAndMetricsAreServedOnTheManagementPort() {
        for (String path : List.of("/q/health", "/q/health/live", "/q/health/ready", "/q/health/started")) {
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(given().get(management.resolve(path)).jsonPath().getString("status"))
                            .isEqualTo("UP"));
        }
        assertThat(given().get(management.resolve("/q/metrics")).asString()).contains("windrow_writer_messages_in_flight");
        assertThat(given().get("/q/health").statusCode()).isEqualTo(404);
        assertThat(given().get("/q/metrics").statusCode()).isEqualTo(404);
    }

    @Test
    void credentialsCameInExchangeForTheWebIdentity() {
        await().atMost(PATIENCE).until(tokens::hasExchangedTheToken);
    }

    @Test
    void everyConnectionToAwsIsATunnelThroughTheProxy() {
        queue().send(EVENT.formatted("tunnel"));

        requireCounted("tunnel");
        assertThat(network.passed()).containsOnly("CONNECT " + PackagedAws.DYNAMO_DB + ":443",
                "CONNECT " + PackagedAws.SQS + ":443", "CONNECT " + PackagedAws.STS + ":443");
    }

    private TestQueue queue() {
        return new TestQueue(aws.sqs(), aws.queueUrl());
    }

    private void requireCounted(String referrer) {
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(
                new Buckets(aws.dynamoDb(), aws.tableName()).measure("clicks", "bytes"))
                .containsEntry(referrer + " minute#2026-11-20T10:31:00Z", new BigDecimal("5120.5"))
                .containsEntry(referrer + " day#2026-11-20T00:00:00Z", new BigDecimal("5120.5")));
    }

    /** Only its own queue and table, and no credentials but a web identity: nothing that other tests start. */
    public static class PackagedProfile implements QuarkusTestProfile {

        @Override
        public boolean disableGlobalTestResources() {
            return true;
        }

        @Override
        public List<TestResourceEntry> testResources() {
            return List.of(new TestResourceEntry(PackagedAws.class));
        }
    }

    /**
     * Queue and table for a packaged writer, which has a web identity and can reach them, and the token service, only through a
     * proxy and with a private certificate authority.
     */
    public static class PackagedAws implements QuarkusTestResourceLifecycleManager {

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
            settings.put("quarkus.dynamodb.endpoint-override",
                    network.publishTls(DYNAMO_DB, aws.dynamoDbEndpoint()).toString());
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
}
