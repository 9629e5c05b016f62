package dev.windrow.writer.lifecycle;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.model.BatchResultErrorEntry;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequest;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchResponse;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.ReceiveMessageResponse;

/** A client that delivers each message twice in one receive and fails deletes: whole batches, single entries. */
final class UnreliableSqs {

    private final SqsAsyncClient sqs;
    private final RandomGenerator random;
    private final double failures;
    private final boolean twice;

    private UnreliableSqs(SqsAsyncClient sqs, RandomGenerator random, double failures, boolean twice) {
        this.sqs = sqs;
        this.random = random;
        this.failures = failures;
        this.twice = twice;
    }

    /**
     * @param failures share of deletes that fail, of batches and of entries
     * @param twice whether messages are delivered twice in one receive
     */
    static SqsAsyncClient over(SqsAsyncClient sqs, RandomGenerator random, double failures, boolean twice) {
        UnreliableSqs unreliable = new UnreliableSqs(sqs, random, failures, twice);
        return (SqsAsyncClient) Proxy.newProxyInstance(SqsAsyncClient.class.getClassLoader(),
                new Class<?>[] { SqsAsyncClient.class }, (proxy, method, arguments) -> {
                    try {
                        if (method.getName().equals("deleteMessageBatch")) {
                            return unreliable.delete(request(arguments[0]));
                        }
                        Object answer = method.invoke(sqs, arguments);
                        return method.getName().equals("receiveMessage") && unreliable.twice
                                ? ((CompletableFuture<?>) answer).thenApply(
                                        received -> doubled((ReceiveMessageResponse) received))
                                : answer;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /** A client by which no message can be hidden anew or shown at once. */
    static SqsAsyncClient withoutVisibilityChanges(SqsAsyncClient sqs) {
        return (SqsAsyncClient) Proxy.newProxyInstance(SqsAsyncClient.class.getClassLoader(),
                new Class<?>[] { SqsAsyncClient.class }, (proxy, method, arguments) -> {
                    if (method.getName().equals("changeMessageVisibilityBatch")) {
                        return CompletableFuture.failedFuture(SdkClientException.create("connection reset"));
                    }
                    try {
                        return method.invoke(sqs, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @SuppressWarnings("unchecked")
    private static DeleteMessageBatchRequest request(Object argument) {
        if (argument instanceof DeleteMessageBatchRequest request) {
            return request;
        }
        DeleteMessageBatchRequest.Builder builder = DeleteMessageBatchRequest.builder();
        ((Consumer<DeleteMessageBatchRequest.Builder>) argument).accept(builder);
        return builder.build();
    }

    private synchronized boolean fails() {
        return random.nextDouble() < failures;
    }

    private CompletableFuture<DeleteMessageBatchResponse> delete(DeleteMessageBatchRequest request) {
        if (fails()) {
            return CompletableFuture.failedFuture(SdkClientException.create("connection reset"));
        }
        List<DeleteMessageBatchRequestEntry> passed = new ArrayList<>();
        List<BatchResultErrorEntry> failed = new ArrayList<>();
        for (DeleteMessageBatchRequestEntry entry : request.entries()) {
            if (fails()) {
                failed.add(BatchResultErrorEntry.builder().id(entry.id()).senderFault(fails()).code("Internal").build());
            } else {
                passed.add(entry);
            }
        }
        if (passed.isEmpty()) {
            return CompletableFuture.completedFuture(DeleteMessageBatchResponse.builder().failed(failed).build());
        }
        return sqs.deleteMessageBatch(request.toBuilder().entries(passed).build()).thenApply(response -> {
            List<BatchResultErrorEntry> all = new ArrayList<>(response.failed());
            all.addAll(failed);
            return response.toBuilder().failed(all).build();
        });
    }

    private static ReceiveMessageResponse doubled(ReceiveMessageResponse received) {
        List<Message> messages = new ArrayList<>(received.messages());
        messages.addAll(received.messages());
        return received.toBuilder().messages(messages).build();
    }
}
