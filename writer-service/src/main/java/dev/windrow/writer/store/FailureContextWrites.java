package dev.windrow.writer.store;

import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;

import dev.windrow.reason.Reason;
import dev.windrow.writer.store.BucketUpdate.Value;
import io.smallrye.mutiny.Uni;

/** Says of a write that the table will not take which label, bucket and attributes it was about. */
public final class FailureContextWrites implements TableWrites {

    /** A label has up to 2,048 bytes, and a dead letter's detail holds the error as well. */
    private static final int LABEL_CHARACTERS = 300;
    private static final int MAX_ITEMS = 5;

    private final TableWrites writes;

    public FailureContextWrites(TableWrites writes) {
        this.writes = writes;
    }

    @Override
    public Uni<WriteResult> write(TableWrite write) {
        return writes.write(write).onFailure(FailureContextWrites::isOfContent)
                .transform(failure -> named(write, (WriteFailedException) failure));
    }

    private static boolean isOfContent(Throwable failure) {
        return failure instanceof WriteFailedException write && (write.reason() == Reason.REFUSED || write.isDenied());
    }

    private static WriteFailedException named(TableWrite write, WriteFailedException failure) {
        List<ItemUpdate> blamed = failure.position() == WriteFailedException.WHOLE ? write.updates()
                : List.of(write.updates().get(failure.position()));
        String label = label(blamed.get(0).partitionKey());
        String subject = failure.isDenied() ? label : label + items(blamed);
        return new WriteFailedException(failure.reason(), failure.detail() + " (" + subject + ")", failure.position());
    }

    /** Where DynamoDB blames none of several items, all of them; their attributes are the same, but for coarser sums. */
    private static String items(List<ItemUpdate> updates) {
        StringJoiner keys = new StringJoiner(", ", ", items ", "");
        Map<String, String> attributes = new TreeMap<>();
        for (ItemUpdate update : updates.subList(0, Math.min(updates.size(), MAX_ITEMS))) {
            keys.add(update.sortKey());
            if (update instanceof BucketUpdate bucket) {
                bucket.names().forEach((name, attribute) -> attributes.computeIfAbsent(attribute, added -> {
                    Value value = bucket.values().get(":" + name.substring(1));
                    return value == null ? "" : value.text();
                }));
            }
        }
        return keys + (updates.size() > MAX_ITEMS ? ", …" : "") + ", attributes " + attributes;
    }

    /** A label as people find it in the table. */
    static String label(String partitionKey) {
        return "label " + (partitionKey.length() <= LABEL_CHARACTERS ? partitionKey
                : partitionKey.substring(0, LABEL_CHARACTERS) + "…");
    }
}
