package dev.windrow.writer.deadletter;

import dev.windrow.reason.Reason;
import dev.windrow.writer.decode.Rejection;
import dev.windrow.writer.message.Message;

/**
 * What is to be told of a message, or of one event in it, that cannot be counted.
 *
 * @param message the message
 * @param index the event's position in the message, or {@link Rejection#WHOLE}
 * @param body the message's body, or the event's own text
 * @param reason why
 * @param detail what was expected and found
 */
public record DeadLetter(Message message, int index, String body, Reason reason, String detail) {
}
