package dev.windrow.writer.inflight;

import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/** The last error of returned messages, for the dead letter if they are received too often. Bounded; thread-safe. */
final class LastErrors {

    private static final int MOST = 1_000;

    private final Map<String, String> byMessage = new LinkedHashMap<>() {

        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
            return size() > MOST;
        }
    };

    synchronized void note(String messageId, String error) {
        byMessage.remove(messageId);
        byMessage.put(messageId, error);
    }

    synchronized @Nullable String of(String messageId) {
        return byMessage.get(messageId);
    }
}
