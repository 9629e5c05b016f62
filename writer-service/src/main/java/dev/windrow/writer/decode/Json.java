package dev.windrow.writer.decode;

import java.io.IOException;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;

/** The JSON parsers of this package, which bound what a hostile body can make them do. */
final class Json {

    private static final int MAX_NESTING = 1_000;
    private static final int MAX_NAME = 10_000;
    /** SQS messages have at most 1 MiB; numbers are bounded event by event, so that a long one spoils only its own. */
    static final int MAX_VALUE = 2 * 1_024 * 1_024;
    /** Bytes by which a parser would recognize an encoding other than UTF-8: then one of them is zero (RFC 4627, 3). */
    private static final int ENCODING_BYTES = 4;

    /** Names are neither interned nor kept: a producer that makes up names would fill the memory of the process. */
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(MAX_NESTING)
                    .maxNameLength(MAX_NAME).maxNumberLength(MAX_VALUE).maxStringLength(MAX_VALUE).build())
            .build();

    private Json() {
    }

    /** A parser of a part of a text, which must be well-formed UTF-8. Its locations are in characters. */
    static JsonParser parser(byte[] text, int from, int to) throws IOException {
        for (int i = from; i < Math.min(to, from + ENCODING_BYTES); i++) {
            if (text[i] == 0) {
                throw new JsonParseException(null, "found a zero character");
            }
        }
        return FACTORY.createParser(text, from, to - from);
    }
}
