package dev.windrow.bench.baseline;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.util.Locale;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;

/** Reads an HTTP answer of a known length and counts the items of the page in it. */
final class AnswerReader {

    private static final JsonFactory JSON = new JsonFactory();
    private static final String LENGTH = "content-length: ";
    private static final int ITEM_DEPTH = 2;

    private AnswerReader() {
    }

    /** How many items, or -1 if the answer is not yet complete. */
    static int items(byte[] bytes, int end) throws IOException {
        int body = bodyStart(bytes, end);
        if (body < 0) {
            return -1;
        }
        String head = new String(bytes, 0, body, US_ASCII).toLowerCase(Locale.ROOT);
        int at = head.indexOf(LENGTH) + LENGTH.length();
        int length = Integer.parseInt(head.substring(at, head.indexOf('\r', at)));
        if (end < body + length) {
            return -1;
        }
        if (!head.startsWith("http/1.1 200")) {
            throw new IOException("answered: " + head);
        }
        return count(bytes, body, length);
    }

    private static int bodyStart(byte[] bytes, int end) {
        for (int i = 3; i < end; i++) {
            if (bytes[i] == '\n' && bytes[i - 1] == '\r' && bytes[i - 2] == '\n') {
                return i + 1;
            }
        }
        return -1;
    }

    private static int count(byte[] bytes, int offset, int length) throws IOException {
        int items = 0;
        int depth = 0;
        boolean inItems = false;
        try (JsonParser parser = JSON.createParser(bytes, offset, length)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token.isStructStart()) {
                    inItems = inItems || (token == JsonToken.START_ARRAY && "Items".equals(parser.currentName()));
                    items += inItems && token == JsonToken.START_OBJECT && depth == ITEM_DEPTH ? 1 : 0;
                    depth++;
                } else if (token.isStructEnd()) {
                    depth--;
                }
            }
        }
        return items;
    }
}
