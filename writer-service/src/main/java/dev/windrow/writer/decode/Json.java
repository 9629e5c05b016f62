package dev.windrow.writer.decode;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;

/** The JSON parsers of this package, which bound what a hostile body can make them do. */
final class Json {

    private static final int DEEPEST_NESTING = 1_000;
    private static final int LONGEST_NAME = 10_000;
    /** SQS messages have at most 1 MiB; numbers are bounded event by event, so that a long one spoils only its own. */
    static final int LONGEST_VALUE = 2 * 1_024 * 1_024;

    /** Names are not interned: a producer that makes up names would fill the string table of the process. */
    static final JsonFactory FACTORY = JsonFactory.builder()
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(DEEPEST_NESTING)
                    .maxNameLength(LONGEST_NAME).maxNumberLength(LONGEST_VALUE).maxStringLength(LONGEST_VALUE).build())
            .build();

    private Json() {
    }
}
