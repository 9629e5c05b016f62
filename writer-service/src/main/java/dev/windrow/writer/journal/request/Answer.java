package dev.windrow.writer.journal.request;

import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.Reason;
import dev.windrow.writer.journal.claim.SlotContent;
import dev.windrow.writer.journal.lane.Lane;

/** Definite answers to requests. */
public sealed interface Answer {

    /** It is done, now or by an earlier attempt whose answer was lost. */
    Answer DONE = new Done();

    /** It is done. */
    record Done() implements Answer {
    }

    /**
     * It is done, and the item has some of the extremes already.
     *
     * @param held measures of which the item has an extreme at least as good as the one in the request
     */
    record DoneBeside(Set<String> held) implements Answer {

        public DoneBeside {
            held = Set.copyOf(held);
        }
    }

    /** The lanes that exist, in order. */
    record LanesAre(List<Lane> lanes) implements Answer {

        public LanesAre {
            lanes = List.copyOf(lanes);
        }
    }

    /** The lane's current state. */
    record LaneIs(Lane lane) implements Answer {
    }

    /**
     * Nothing of a claim was carried out.
     *
     * @param lane its current state, if its condition failed
     * @param slots those whose conditions failed
     */
    record ClaimRefused(@Nullable Lane lane, List<SlotContent> slots) implements Answer {

        public ClaimRefused {
            slots = List.copyOf(slots);
        }
    }

    /**
     * How a minute is cut.
     *
     * @param expires when the cut may be forgotten, in seconds since the epoch
     * @param damage why the item cannot be read; empty if it can
     */
    record CutIs(int slots, long expires, String damage) implements Answer {

        /** One that can be read. */
        public CutIs(int slots, long expires) {
            this(slots, expires, "");
        }
    }

    /**
     * A record.
     *
     * @param bytes its chunks joined; null if it does not exist
     */
    record RecordIs(byte @Nullable [] bytes) implements Answer {
    }

    /** Nothing was added: the item has the lane's additions up to this position. */
    record AppliedUpTo(long position) implements Answer {
    }

    /** It may be done or not; the same request may succeed soon, and others may at once. */
    record NotYet() implements Answer {
    }

    /** It is not done, and will not be until an operator changes something; other requests may succeed. */
    record Denied(Reason reason, String detail) implements Answer {
    }

    /** It is not done, and no retry can succeed. */
    record Refused(Reason reason, String detail) implements Answer {
    }
}
