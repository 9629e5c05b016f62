package dev.windrow.provision;

/**
 * The locations of a queue and its dead-letter queue.
 *
 * @param arn the queue's Amazon resource name
 */
public record ProvisionedQueues(String url, String arn, String deadLetterUrl, String deadLetterArn) {
}
