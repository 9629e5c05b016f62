package dev.windrow.base;

/**
 * Invalid input. Its message lets the sender correct it: which field, what was expected, and the {@link Reason}. It has no
 * stack trace, as the fault is in the data, not in the program, and invalid data may arrive at any rate. The message is
 * one printable line of bounded length, whatever the input.
 */
public final class InvalidInputException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** An expectation may list what is declared, and its end may say what to do. */
    private static final int MAX_EXPECTATION = 8_000;

    private final Reason reason;
    private final String field;

    /**
     * @param reason the cause
     * @param field the field, parameter or path that is wrong, such as {@code attributes.bytes}
     * @param expectation what was expected and, where it helps, what was found: {@code "expected a number, found text"}
     */
    public InvalidInputException(Reason reason, String field, String expectation) {
        super(Sanitized.line(field) + ": " + Sanitized.line(expectation, MAX_EXPECTATION), null, false, false);
        this.reason = reason;
        this.field = Sanitized.line(field);
    }

    /** The cause. */
    public Reason reason() {
        return reason;
    }

    /** The field, parameter or path that is wrong. */
    public String field() {
        return field;
    }
}
