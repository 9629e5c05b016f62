package dev.windrow.base;

/**
 * Invalid input. The message lets the sender correct it: it names the field and what was expected; {@link #reason()} is the
 * cause. There is no stack trace, as the fault is in the data, not in the program, and invalid data may arrive at any rate. The
 * message is one printable line of bounded length, whatever the input.
 */
public final class InvalidInputException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Long, as an expectation may list everything that is declared, and end with what to do. */
    private static final int MAX_EXPECTATION = 8_000;

    private final Reason reason;
    private final String field;

    /**
     * @param field the invalid field, parameter or path, such as {@code attributes.bytes}
     * @param expectation what was expected and, where it helps, what was found: {@code "expected a number, found text"}
     */
    public InvalidInputException(Reason reason, String field, String expectation) {
        super(Sanitized.line(field) + ": " + Sanitized.line(expectation, MAX_EXPECTATION), null, false, false);
        this.reason = reason;
        this.field = Sanitized.line(field);
    }

    public Reason reason() {
        return reason;
    }

    /** The invalid field, parameter or path. */
    public String field() {
        return field;
    }
}
