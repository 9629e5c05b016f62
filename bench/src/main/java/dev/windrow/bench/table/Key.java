package dev.windrow.bench.table;

/** An item's key. */
public record Key(String partition, String sort) {
}
