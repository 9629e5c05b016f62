package dev.windrow.writer.deadletter;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;

import dev.windrow.writer.message.Provenance;

/** Chooses message attributes where there are more than SQS accepts. */
final class MessageAttributes {

    /** Maximum number of attributes of a message (SQS). */
    private static final int MOST = 10;

    /** Without these a message would be read as another, or not at all. */
    private static final List<String> FIRST = List.of(Provenance.SOURCE_MESSAGE_ID, Provenance.SOURCE_SENT,
            Provenance.SOURCE_EVENT, "tenant", "type", CompressedBody.ATTRIBUTE, Provenance.FIRST_SEEN);

    /** As SQS accepts them; notifications may have others. */
    private static final Pattern NAME = Pattern
            .compile("(?i)(?!aws\\.|amazon\\.|\\.)(?!.*\\.\\.)(?!.*\\.$)[a-z0-9_.-]{1,256}");

    private MessageAttributes() {
    }

    /** Adds as many as fit besides those present, first those that say what a message is and how it is read. */
    static <V> void addUpToLimit(Map<String, V> chosen, Map<String, V> own, Function<V, String> text) {
        Map<String, V> sorted = new TreeMap<>(Comparator.comparingInt(MessageAttributes::rank)
                .thenComparing(Comparator.naturalOrder()));
        sorted.putAll(own);
        sorted.forEach((name, value) -> add(chosen, name, value, text));
    }

    private static int rank(String name) {
        int rank = FIRST.indexOf(name);
        return rank < 0 ? FIRST.size() : rank;
    }

    private static <V> void add(Map<String, V> chosen, String name, V value, Function<V, String> text) {
        boolean fits = chosen.size() < MOST && NAME.matcher(name).matches();
        if (fits && SqsText.isAllowed(text.apply(value))) {
            chosen.putIfAbsent(name, value);
        }
    }
}
