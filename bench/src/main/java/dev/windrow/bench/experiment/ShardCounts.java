package dev.windrow.bench.experiment;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.windrow.bench.partition.AuditEntry;
import dev.windrow.bench.partition.Skew;

/** How applied index writes spread over shards. */
final class ShardCounts {

    private ShardCounts() {
    }

    static double skew(List<AuditEntry> entries, int width) {
        Map<String, Long> counts = new HashMap<>();
        for (AuditEntry entry : entries) {
            if (entry.resource().isIndex()) {
                counts.merge(entry.resource().partitionKey(), 1L, Long::sum);
            }
        }
        if (counts.isEmpty()) {
            return Double.NaN;
        }
        long[] perShard = new long[Math.max(width, counts.size())];
        int i = 0;
        for (long count : counts.values()) {
            perShard[i++] = count;
        }
        return Skew.of(perShard);
    }
}
