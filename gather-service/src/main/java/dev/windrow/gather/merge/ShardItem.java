package dev.windrow.gather.merge;

/**
 * One item as a shard answered it.
 *
 * @param key its sort key: what shards are sorted and merged by
 * @param group the beginning of the key that key shards of one bucket share; the whole key where it has no key shard
 * @param values its measures
 */
public record ShardItem(String key, String group, MeasureValues values) {
}
