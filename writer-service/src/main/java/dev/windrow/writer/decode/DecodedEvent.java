package dev.windrow.writer.decode;

import dev.windrow.event.Event;

/**
 * An event and where it stood.
 *
 * @param index its position in the message, from 0; on lines, the number of the line
 * @param event the event
 */
public record DecodedEvent(int index, Event event) {
}
