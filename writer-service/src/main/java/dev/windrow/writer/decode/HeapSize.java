package dev.windrow.writer.decode;

import java.util.Map;

/**
 * Estimated heap sizes of objects in bytes, erring on the high side. They assume a 64-bit JVM with compressed references,
 * whose objects have a header of 12 bytes and are padded to 8.
 */
public final class HeapSize {

    /** A string and its array, without characters. */
    private static final int STRING = 48;
    /** An entry of a hash map, with its share of the table. */
    private static final int MAP_ENTRY = 48;
    /** A message with its id and dates, and the flow's bookkeeping until it ends. */
    private static final int MESSAGE = 640;

    private HeapSize() {
    }

    /** Returns the size of a text, which may need two bytes per character. */
    public static long of(String text) {
        return STRING + 2L * text.length();
    }

    public static long of(Message message) {
        long size = MESSAGE + (long) message.receipt().length() + message.body().length();
        for (Map.Entry<String, String> attribute : message.attributes().entrySet()) {
            size += MAP_ENTRY + of(attribute.getKey()) + of(attribute.getValue());
        }
        return size;
    }
}
