package dev.windrow.bench.baseline;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.util.List;
import java.util.Locale;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;

/** Reads an HTTP answer of a known length, and the items of the page in it. */
final class AnswerReader {

    private static final JsonFactory JSON = new JsonFactory();
    private static final String LENGTH = "content-length: ";

    /**
     * An item as its attributes' texts.
     *
     * @param key sort key of the index
     */
    record Item(String key, String events, String bytes) {
    }

    private AnswerReader() {
    }

    /** Adds the items, or nothing if the answer is not yet complete; whether it is. */
    static boolean read(byte[] bytes, int end, List<Item> items) throws IOException {
        int body = bodyStart(bytes, end);
        if (body < 0) {
            return false;
        }
        String head = new String(bytes, 0, body, US_ASCII).toLowerCase(Locale.ROOT);
        int at = head.indexOf(LENGTH) + LENGTH.length();
        int length = Integer.parseInt(head.substring(at, head.indexOf('\r', at)));
        if (end < body + length) {
            return false;
        }
        if (!head.startsWith("http/1.1 200")) {
            throw new IOException("answered: " + head);
        }
        items(bytes, body, length, items);
        return true;
    }

    private static int bodyStart(byte[] bytes, int end) {
        for (int i = 3; i < end; i++) {
            if (bytes[i] == '\n' && bytes[i - 1] == '\r' && bytes[i - 2] == '\n') {
                return i + 1;
            }
        }
        return -1;
    }

    /** The recorded answers have no objects but items and their values, and an item's attributes in one order. */
    private static void items(byte[] bytes, int offset, int length, List<Item> items) throws IOException {
        String[] texts = new String[3];
        int found = 0;
        try (JsonParser parser = JSON.createParser(bytes, offset, length)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token == JsonToken.VALUE_STRING) {
                    texts[found] = parser.getText();
                    found++;
                    if (found == texts.length) {
                        items.add(new Item(texts[0], texts[1], texts[2]));
                        found = 0;
                    }
                }
            }
        }
    }
}
