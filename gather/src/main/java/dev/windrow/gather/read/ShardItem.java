package dev.windrow.gather.read;

import java.util.List;

import dev.windrow.base.KeyCodec;
import dev.windrow.gather.plan.MeasureValues;
import dev.windrow.table.Label;

/**
 * One item read from a shard.
 *
 * @param key its sort key, by which shards are sorted and merged
 * @param group the beginning of the key, which all key shards of a bucket share; the whole key if it has no key shard
 */
public record ShardItem(String key, String group, MeasureValues values) {

    public Label label() {
        List<String> parts = KeyCodec.decode(group);
        return new Label(parts.subList(1, parts.size()));
    }
}
