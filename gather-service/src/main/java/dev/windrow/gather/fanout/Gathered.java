package dev.windrow.gather.fanout;

/**
 * What was gathered, and how.
 *
 * @param result the answer
 * @param report what happened on the way
 */
public record Gathered<T>(T result, GatherReport report) {
}
