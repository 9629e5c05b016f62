package dev.windrow.writer.command;

import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import software.amazon.awssdk.http.crt.AwsCrtAsyncHttpClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;

/** Clients with region and credentials of the SDK's default chains. */
final class CommandClients {

    /** A command ends one way or the other; creating a table takes some ten seconds, minutes in a busy account. */
    private static final Duration MAX_WAIT = Duration.ofMinutes(10);

    private CommandClients() {
    }

    static DynamoDbAsyncClient dynamoDb(CommandSettings settings) {
        return DynamoDbAsyncClient.builder().httpClientBuilder(AwsCrtAsyncHttpClient.builder())
                .applyMutation(builder -> settings.endpoint("dynamodb").ifPresent(builder::endpointOverride)).build();
    }

    static SqsAsyncClient sqs(CommandSettings settings) {
        return SqsAsyncClient.builder().httpClientBuilder(AwsCrtAsyncHttpClient.builder())
                .applyMutation(builder -> settings.endpoint("sqs").ifPresent(builder::endpointOverride)).build();
    }

    /** Commands run on the main thread, with nothing else to do meanwhile. */
    static <T> T await(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().get(MAX_WAIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException failure) {
            throw failure.getCause() instanceof RuntimeException known ? known : new CompletionException(failure.getCause());
        } catch (TimeoutException failure) {
            throw new IllegalStateException("no end within " + MAX_WAIT, failure);
        } catch (InterruptedException failure) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", failure);
        }
    }
}
