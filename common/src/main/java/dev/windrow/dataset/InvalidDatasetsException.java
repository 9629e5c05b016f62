package dev.windrow.dataset;

import java.util.List;

import dev.windrow.reason.Reason;

/** The dataset declarations are wrong; the message names every field that is, and what was expected there. */
public final class InvalidDatasetsException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final List<String> problems;

    /**
     * @param source where the declarations came from, such as a file name
     * @param problems one line each, beginning with the field's path
     */
    public InvalidDatasetsException(String source, List<String> problems) {
        super(source + ": " + Reason.INVALID_DATASETS.word() + ":\n  " + String.join("\n  ", problems), null, false, false);
        this.problems = List.copyOf(problems);
    }

    /** One line for each wrong field. */
    public List<String> problems() {
        return problems;
    }
}
