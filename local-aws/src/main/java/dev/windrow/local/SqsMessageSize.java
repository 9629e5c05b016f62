package dev.windrow.local;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.sqs.model.CreateQueueRequest;
import software.amazon.awssdk.services.sqs.model.CreateQueueResponse;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.awssdk.services.sqs.model.SendMessageRequest;
import software.amazon.awssdk.services.sqs.model.SqsException;

/**
 * SQS's rule for the size of a message, which ElasticMQ applies to the body alone: the body and names, types and values of
 * the attributes together have at most the queue's {@code MaximumMessageSize}. Thread-safe.
 */
final class SqsMessageSize implements ExecutionInterceptor {

    private static final int MAX_BYTES = 1_024 * 1_024;

    /** By URL, of queues created with a size of their own. */
    private final Map<String, Integer> sizes = new ConcurrentHashMap<>();

    @Override
    public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
        if (context.request() instanceof SendMessageRequest send) {
            int size = bytes(send.messageBody());
            for (Map.Entry<String, MessageAttributeValue> attribute : send.messageAttributes().entrySet()) {
                MessageAttributeValue value = attribute.getValue();
                size += bytes(attribute.getKey()) + bytes(value.dataType());
                size += value.binaryValue() == null ? bytes(value.stringValue()) : value.binaryValue().asByteArray().length;
            }
            int most = sizes.getOrDefault(send.queueUrl(), MAX_BYTES);
            if (size > most) {
                throw refused("One or more parameters are invalid. Reason: Message must be shorter than " + most + " bytes.");
            }
        }
    }

    @Override
    public void afterExecution(Context.AfterExecution context, ExecutionAttributes attributes) {
        if (context.request() instanceof CreateQueueRequest request && context.response() instanceof CreateQueueResponse made) {
            String size = request.attributes().get(QueueAttributeName.MAXIMUM_MESSAGE_SIZE);
            if (size != null) {
                sizes.put(made.queueUrl(), Integer.parseInt(size));
            }
        }
    }

    private static SqsException refused(String message) {
        return (SqsException) SqsException.builder().statusCode(400).message(message)
                .awsErrorDetails(AwsErrorDetails.builder().errorCode("InvalidParameterValue").errorMessage(message).build())
                .build();
    }

    private static int bytes(String text) {
        return text == null ? 0 : text.getBytes(UTF_8).length;
    }
}
