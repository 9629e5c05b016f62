package dev.windrow.writer.journal.record;

/** A record that this release cannot read: damaged, or of a newer format. */
public final class UnreadableRecordException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final boolean newer;

    private UnreadableRecordException(String detail, boolean newer) {
        super(detail);
        this.newer = newer;
    }

    static UnreadableRecordException damaged(String detail) {
        return new UnreadableRecordException("expected a journal record, found " + detail, false);
    }

    static UnreadableRecordException newer(int format) {
        return new UnreadableRecordException(
                "expected a journal record of format " + RecordCodec.FORMAT + " at most, found " + format, true);
    }

    /** Whether a newer release can read it. */
    public boolean isNewer() {
        return newer;
    }
}
