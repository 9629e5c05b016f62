package dev.windrow.writer.store;

import java.util.stream.Collectors;
import java.util.stream.IntStream;

import dev.windrow.table.TableSchema;

/** The condition that a ledger slot holds none of some ids. Its texts are made once, as each flush needs one. */
final class UnknownIds {

    private static final String[] NAMES = IntStream.range(0, Transactions.MOST_IDS).mapToObj(i -> ":" + i)
            .toArray(String[]::new);
    /** By the number of ids, from 1. */
    private static final String[] CONDITIONS = IntStream.rangeClosed(1, Transactions.MOST_IDS)
            .mapToObj(UnknownIds::written).toArray(String[]::new);

    private UnknownIds() {
    }

    /** The name of an id's value. */
    static String name(int position) {
        return NAMES[position];
    }

    /** The condition on so many ids, at least one. */
    static String condition(int ids) {
        return CONDITIONS[ids - 1];
    }

    private static String written(int ids) {
        return IntStream.range(0, ids).mapToObj(i -> "contains(" + TableSchema.LEDGER_IDS + "," + name(i) + ")")
                .collect(Collectors.joining(" OR ", "NOT (", ")"));
    }
}
