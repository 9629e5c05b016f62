package dev.windrow.provision;

/**
 * Where a queue and its dead-letter queue are.
 *
 * @param url the queue's URL, which SQS requests name it by
 * @param arn the queue's Amazon resource name
 * @param deadLetterUrl the dead-letter queue's URL
 * @param deadLetterArn the dead-letter queue's Amazon resource name
 */
public record ProvisionedQueues(String url, String arn, String deadLetterUrl, String deadLetterArn) {
}
