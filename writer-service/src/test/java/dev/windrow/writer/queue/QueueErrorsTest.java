package dev.windrow.writer.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.net.URI;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import dev.windrow.aws.AwsErrors;
import dev.windrow.aws.AwsJsonClient;
import dev.windrow.aws.AwsJsonClientFactory;
import dev.windrow.aws.NetworkSettings;
import dev.windrow.local.TestClients;
import dev.windrow.local.fault.ErrorCases;
import dev.windrow.local.fault.ErrorCases.ErrorCase;
import dev.windrow.local.fault.FaultPlan;
import dev.windrow.local.fault.FaultProxy;
import dev.windrow.testing.Patience;
import dev.windrow.writer.decode.Message;
import dev.windrow.writer.decode.Message.SourceQueue;
import dev.windrow.writer.queue.Acknowledger.BatchedRequest;
import dev.windrow.writer.queue.Acknowledger.SqsBatch;
import dev.windrow.writer.testing.TestMessages;
import io.vertx.core.Vertx;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;

/** The reasons of failed requests to the queue. */
class QueueErrorsTest {

    /** Nothing listens there: the proxy answers by itself. */
    private static final URI NOWHERE = URI.create("http://127.0.0.1:9");
    private static final SourceQueue QUEUE = TestMessages.queue("q");
    private static final Message MESSAGE = TestMessages.message("{}", Map.of(), Instant.EPOCH);

    private static FaultProxy proxy;
    private static Vertx vertx;
    private static SqsAsyncClient sdk;
    private static AwsJsonClient client;

    @BeforeAll
    static void start() {
        proxy = FaultProxy.start(NOWHERE, FaultPlan.none());
        vertx = Vertx.vertx();
        sdk = TestClients.sqs(proxy.endpoint());
        client = new AwsJsonClientFactory(vertx, NetworkSettings.direct(), Runnable::run, Clock.systemUTC()).sqs(sdk, 4);
    }

    @AfterAll
    static void stop() {
        sdk.close();
        vertx.close().toCompletionStage().toCompletableFuture().join();
        proxy.close();
    }

    static List<ErrorCase> errors() {
        return ErrorCases.sqs();
    }

    @ParameterizedTest
    @MethodSource("errors")
    void anErrorHasTheReasonOfTheContract(ErrorCase error) {
        proxy.use(FaultPlan.always(error.fault()));
        BatchedRequest deletion = SqsBatch.delete(client, error.requestTimeout());

        Throwable failure = catchThrowable(() -> deletion.send(QUEUE, List.of(MESSAGE)).await().atMost(Patience.LIMIT));

        assertThat(failure).isNotNull();
        assertThat(AwsErrors.reason(failure)).isEqualTo(error.reason());
    }
}
