package dev.windrow.provision;

import java.util.List;

import dev.windrow.base.Reason;

/** A table or queue could not be brought to the required state. */
public final class ProvisionException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final Reason reason;
    private final List<String> problems;

    ProvisionException(Reason reason, String subject, List<String> problems) {
        super(subject + ": " + reason.word() + ": " + String.join("; ", problems));
        this.reason = reason;
        this.problems = List.copyOf(problems);
    }

    /** {@link Reason#SCHEMA_MISMATCH} or {@link Reason#TIMED_OUT}. */
    public Reason reason() {
        return reason;
    }

    /** One sentence for each thing that differs, with what was expected and what was found. */
    public List<String> problems() {
        return problems;
    }
}
