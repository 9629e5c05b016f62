package dev.windrow.quickstart;

/**
 * A message body.
 *
 * @param body newline-delimited JSON
 * @param first the number of its first line; the others follow without a gap
 * @param events number of lines, 1 to 100: a message with more than 100 bad events is rejected as a whole
 */
record EventMessage(String body, long first, int events) {
}
