package dev.windrow.writer.command;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import dev.windrow.aws.NetworkSettings;
import dev.windrow.aws.SdkHttp;
import dev.windrow.base.Durations;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;

/** Clients with region and credentials of the SDK's default chains. */
final class CommandClients {

    /** Bounds each command: creating a table takes about ten seconds, or minutes in a busy account. */
    private static final Duration MAX_WAIT = Duration.ofMinutes(10);

    private CommandClients() {
    }

    static DynamoDbAsyncClient dynamoDb(CommandSettings settings) {
        Optional<URI> endpoint = settings.endpoint("dynamodb");
        return DynamoDbAsyncClient.builder().httpClientBuilder(SdkHttp.async(network(settings), endpoint))
                .applyMutation(builder -> endpoint.ifPresent(builder::endpointOverride)).build();
    }

    static SqsAsyncClient sqs(CommandSettings settings) {
        Optional<URI> endpoint = settings.endpoint("sqs");
        return SqsAsyncClient.builder().httpClientBuilder(SdkHttp.async(network(settings), endpoint))
                .applyMutation(builder -> endpoint.ifPresent(builder::endpointOverride)).build();
    }

    private static NetworkSettings network(CommandSettings settings) {
        return NetworkSettings.ofProcess(name -> Optional.ofNullable(System.getenv(name)), settings.caBundle());
    }

    /** Blocks: commands run on the main thread. */
    static <T> T await(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().get(MAX_WAIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException failure) {
            throw failure.getCause() instanceof RuntimeException known ? known : new CompletionException(failure.getCause());
        } catch (TimeoutException failure) {
            throw new IllegalStateException("not finished within " + Durations.text(MAX_WAIT), failure);
        } catch (InterruptedException failure) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", failure);
        }
    }
}
