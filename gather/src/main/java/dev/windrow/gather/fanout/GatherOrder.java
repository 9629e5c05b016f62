package dev.windrow.gather.fanout;

public enum GatherOrder {
    ASCENDING,
    DESCENDING,
    /** No order: stages are read at the same time. */
    ANY
}
