package dev.windrow.writer.record;

/** A record that this release cannot read: damaged, or of a newer format. */
public final class UnreadableRecordException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private UnreadableRecordException(String detail) {
        super(detail);
    }

    public static UnreadableRecordException damaged(String detail) {
        return new UnreadableRecordException("expected a journal record, found " + detail);
    }

    static UnreadableRecordException newer(int format) {
        return new UnreadableRecordException(
                "expected a journal record of format " + RecordCodec.DEFERRED_FORMAT + " at most, found " + format);
    }
}
