package dev.windrow.writer.testing;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.windrow.base.Reason;
import dev.windrow.dataset.Datasets;
import dev.windrow.event.Event;
import dev.windrow.writer.decode.BodyKind;
import dev.windrow.writer.decode.DecodeResult;
import dev.windrow.writer.decode.Envelope;
import dev.windrow.writer.decode.EventDecoder;
import dev.windrow.writer.decode.EventSink;
import dev.windrow.writer.decode.Message;
import dev.windrow.writer.decode.RejectedEvent;

/**
 * A message that was read, with its good events.
 *
 * @param decoded what the decoder says of it
 */
public record ReadMessage(DecodeResult decoded, List<Event> events, List<Integer> indexes) {

    private static final Duration TIME_LIMIT = Duration.ofMinutes(5);

    /** A decoder that has time. */
    public static EventDecoder decoder(Datasets datasets) {
        return new EventDecoder(datasets, TIME_LIMIT, System::nanoTime);
    }

    public static ReadMessage of(EventDecoder decoder, Message message) {
        List<Event> events = new ArrayList<>();
        List<Integer> indexes = new ArrayList<>();
        DecodeResult decoded = decoder.decode(message, new EventSink() {

            @Override
            public RejectedEvent take(int index, Event event) {
                events.add(event);
                indexes.add(index);
                return null;
            }

            @Override
            public void restart() {
                events.clear();
                indexes.clear();
            }
        }, TestUnits.UNLIMITED);
        return new ReadMessage(decoded, events, indexes);
    }

    public List<RejectedEvent> rejections() {
        return decoded.rejections();
    }

    /** Why the bad events are bad, in order. */
    public List<Reason> reasons() {
        return rejections().stream().map(RejectedEvent::reason).toList();
    }

    public BodyKind kind() {
        return decoded.kind();
    }

    public Envelope envelope() {
        return decoded.envelope();
    }

    public int ignored() {
        return decoded.ignored();
    }
}
