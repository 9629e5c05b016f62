package dev.windrow.dataset;

import java.util.List;

import dev.windrow.base.Reason;

/** Invalid dataset declarations. The message lists each invalid field and what was expected there. */
public final class InvalidDatasetsException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * @param source where the declarations came from, such as a file name
     * @param problems one line each, starting with the path of the field
     */
    public InvalidDatasetsException(String source, List<String> problems) {
        super(source + ": " + Reason.INVALID_DATASETS.word() + ":\n  " + String.join("\n  ", problems), null, false, false);
    }
}
