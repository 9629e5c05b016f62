package dev.windrow.gather.read;

public record ItemKey(String partitionKey, String sortKey) {
}
