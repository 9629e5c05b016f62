package dev.windrow.writer.journal.parked;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import dev.windrow.writer.journal.claim.ClaimId;
import dev.windrow.writer.journal.claim.ClaimUnit;
import dev.windrow.writer.journal.request.Request;
import dev.windrow.writer.message.Message;
import dev.windrow.writer.message.MessageBody;
import dev.windrow.writer.message.Provenance;
import dev.windrow.writer.message.SourceQueue;

/**
 * Parked additions as a message. Its id and time are those by which the additions are claimed when it is replayed, so that
 * they count once, however often that is done.
 */
public final class ParkedLetter {

    private static final String FORMAT = "1";
    private static final String ID_PREFIX = "parked-";
    private static final int HEX = 16;

    private ParkedLetter() {
    }

    /** Whether a message holds additions instead of events. */
    public static boolean isParked(Message message) {
        return message.attributes().containsKey(Provenance.PARKED);
    }

    /**
     * Writes parked additions.
     *
     * @param queue that their messages may have come from
     * @param now when they were parked
     */
    public static Message write(Request.SendParked parked, SourceQueue queue, Instant now) {
        String id = ID_PREFIX + Long.toHexString(parked.id().hash());
        return new Message(queue, id, "", MessageBody.of(ParkedJson.write(parked)), Map.of(Provenance.PARKED, FORMAT),
                Instant.ofEpochMilli(parked.id().millis()), now, 1, id);
    }

    /**
     * Reads replayed parked additions.
     *
     * @param body the message's, decompressed
     * @throws InvalidInputException if the message is not valid parked additions
     */
    public static ClaimUnit read(Message message, MessageBody body) {
        String format = message.attributes().get(Provenance.PARKED);
        if (!FORMAT.equals(format)) {
            throw new InvalidInputException(Reason.INVALID_ENVELOPE, Provenance.PARKED,
                    "expected format " + FORMAT + ", found " + format);
        }
        ClaimId id = new ClaimId(ClaimId.Kind.PARKED, message.identityMillis(), hash(message.identity()));
        return new ClaimUnit(id, List.of(ParkedJson.read(body.utf8())));
    }

    private static long hash(String id) {
        try {
            if (id.startsWith(ID_PREFIX)) {
                return Long.parseUnsignedLong(id.substring(ID_PREFIX.length()), HEX);
            }
        } catch (NumberFormatException e) {
            // Reported below, with what was expected.
        }
        throw new InvalidInputException(Reason.INVALID_ENVELOPE, Provenance.SOURCE_MESSAGE_ID,
                "expected " + ID_PREFIX + " and a hexadecimal number, found " + id);
    }
}
