package dev.windrow.quickstart;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Locale;
import java.util.NoSuchElementException;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.windrow.quickstart.EventMessages.Line;

/**
 * The events of a file, one a line. Empty lines are skipped. A line that is no JSON object is left out and noted; whether an
 * object is a good event is for the writer to say.
 */
public final class EventLines implements Iterator<Line>, AutoCloseable {

    /** What a message of SQS may always have. */
    private static final int MAX_BYTES = 256 * 1_024;
    private static final String BYTE_ORDER_MARK = "\uFEFF";
    private static final ObjectMapper JSON = new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private final InputStream in;
    private final BadLines bad;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private long number;
    private @Nullable Line next;

    /** @param bad takes the lines that are left out */
    private EventLines(InputStream in, BadLines bad) {
        this.in = in;
        this.bad = bad;
    }

    /** To be closed. */
    public static EventLines open(Path file, BadLines bad) {
        try {
            return new EventLines(new BufferedInputStream(Files.newInputStream(file), 1 << 16), bad);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }

    @Override
    public boolean hasNext() {
        try {
            while (next == null && readLine()) {
                number++;
                next = line();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read line " + (number + 1), e);
        }
        return next != null;
    }

    @Override
    public Line next() {
        if (!hasNext() || next == null) {
            throw new NoSuchElementException("no more events");
        }
        Line line = next;
        next = null;
        return line;
    }

    /** Reads on to the end of the line, and keeps as much of it as shows that it is too long; false at the end of the file. */
    private boolean readLine() throws IOException {
        bytes.reset();
        int read = in.read();
        if (read < 0) {
            return false;
        }
        while (read >= 0 && read != '\n') {
            if (bytes.size() <= MAX_BYTES) {
                bytes.write(read);
            }
            read = in.read();
        }
        return true;
    }

    /** The line that was read, or null if it is left out. */
    private @Nullable Line line() {
        if (bytes.size() > MAX_BYTES) {
            bad.add(number, "longer than " + MAX_BYTES + " bytes, which is the most that a message of SQS could always have");
            return null;
        }
        String text;
        try {
            text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes.toByteArray())).toString();
        } catch (CharacterCodingException e) {
            bad.add(number, "not UTF-8");
            return null;
        }
        if (number == 1 && text.startsWith(BYTE_ORDER_MARK)) {
            text = text.substring(1);
        }
        text = text.strip();
        if (text.isEmpty()) {
            return null;
        }
        // The only ones in JSON that XML 1.0 has not, which SQS's rule for messages is.
        String problem = text.chars().anyMatch(character -> character >= '\uFFFE') ? "has U+FFFE or U+FFFF, which SQS rejects"
                : problem(text);
        if (problem != null) {
            bad.add(number, problem);
            return null;
        }
        return new Line(number, text);
    }

    private static @Nullable String problem(String text) {
        try {
            JsonNode value = JSON.readTree(text);
            return value.isObject() ? null
                    : "expected an event, which is a JSON object, found " + value.getNodeType().toString().toLowerCase(
                            Locale.ROOT);
        } catch (JsonProcessingException e) {
            // Where in the text an array or object began is noted in many words; the rest may quote any character.
            return "not JSON: "
                    + e.getOriginalMessage().replaceFirst(" \\(start marker at .*", "").replaceAll("\\p{Cntrl}", "?");
        }
    }

    @Override
    public void close() {
        try {
            in.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
