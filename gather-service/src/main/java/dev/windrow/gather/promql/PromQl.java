package dev.windrow.gather.promql;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import dev.windrow.base.Sanitized;

/** Errors of queries. */
final class PromQl {

    /** The label that holds a series' metric name. */
    static final String NAME = "__name__";

    private static final String FIELD = "query";

    private PromQl() {
    }

    /** The query is PromQL, but outside the subset. */
    static InvalidInputException unsupported(String what, String instead) {
        return new InvalidInputException(Reason.INVALID_PARAMETER, FIELD,
                Sanitized.line(what) + " is not supported: " + instead);
    }

    /** The query is not PromQL. */
    static InvalidInputException malformed(String expected, Token found) {
        return new InvalidInputException(Reason.INVALID_PARAMETER, FIELD,
                "expected " + expected + " at character " + (found.position() + 1) + ", found "
                        + (found.kind() == Token.Kind.END ? "the end" : Sanitized.of(found.text())));
    }

    static InvalidInputException invalid(String expectation) {
        return new InvalidInputException(Reason.INVALID_PARAMETER, FIELD, expectation);
    }
}
