package dev.windrow.writer.store;

import java.util.List;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeSet;

import dev.windrow.base.Reason;
import io.smallrye.mutiny.Uni;

/** Adds items and attributes to the failure of a write that the table refuses. */
public final class FailureContextWrites implements TableWrites {

    /** A label has up to 2,048 bytes, and a dead letter's detail holds the error as well. */
    private static final int KEY_CHARACTERS = 300;
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
        return new WriteFailedException(failure.reason(), failure.detail() + " (" + items(blamed) + ")", failure.position());
    }

    /** Where DynamoDB blames none of several items, all of them. */
    private static String items(List<ItemUpdate> updates) {
        StringJoiner keys = new StringJoiner(", ", updates.size() == 1 ? "item " : "items ", "");
        Set<String> attributes = new TreeSet<>();
        for (ItemUpdate update : updates.subList(0, Math.min(updates.size(), MAX_ITEMS))) {
            keys.add(shortened(update.partitionKey()) + " " + update.sortKey());
            attributes.addAll(update.attributes());
        }
        return keys + (updates.size() > MAX_ITEMS ? ", …" : "") + ", attributes " + attributes;
    }

    private static String shortened(String partitionKey) {
        return partitionKey.length() <= KEY_CHARACTERS ? partitionKey : partitionKey.substring(0, KEY_CHARACTERS) + "…";
    }
}
