package dev.windrow.writer.store;

import java.util.stream.Collectors;
import java.util.stream.IntStream;

import com.fasterxml.jackson.core.io.SerializedString;

import dev.windrow.table.TableSchema;

/** The condition that a ledger slot holds none of some ids. Its texts are made once, as each flush needs one. */
final class UnknownIds {

    private static final SerializedString[] NAMES = IntStream.range(0, Transactions.MAX_IDS)
            .mapToObj(i -> new SerializedString(":" + i)).toArray(SerializedString[]::new);
    /** By the number of ids, from 1. */
    private static final SerializedString[] CONDITIONS = IntStream.rangeClosed(1, Transactions.MAX_IDS)
            .mapToObj(UnknownIds::written).toArray(SerializedString[]::new);

    private UnknownIds() {
    }

    /** The name of an id's value. */
    static SerializedString name(int position) {
        return NAMES[position];
    }

    /** The condition on so many ids, at least one. */
    static SerializedString condition(int ids) {
        return CONDITIONS[ids - 1];
    }

    private static SerializedString written(int ids) {
        return new SerializedString(
                IntStream.range(0, ids).mapToObj(i -> "contains(" + TableSchema.LEDGER_IDS + "," + name(i) + ")")
                        .collect(Collectors.joining(" OR ", "NOT (", ")")));
    }
}
