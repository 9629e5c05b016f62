package dev.windrow.writer.journal.parked;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.KeyCodec;
import dev.windrow.dataset.Granularity;
import dev.windrow.dataset.TenantNames;
import dev.windrow.table.BucketKey;
import dev.windrow.table.SeriesKey;
import dev.windrow.writer.journal.record.BucketItem;
import dev.windrow.writer.journal.record.IndexKey;

/**
 * Checks the keys of a replayed letter: they must be what the key codec writes for a bucket, so that a sender of events
 * cannot write any other item of the table.
 */
final class ParkedKeys {

    /** As in declarations of datasets. */
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_-]{0,62}");

    private ParkedKeys() {
    }

    /** Whether a text can name a dataset or a measure. */
    static boolean isName(String text) {
        return NAME.matcher(text).matches();
    }

    /**
     * The bucket that the keys name.
     *
     * @throws dev.windrow.base.InvalidInputException if they name none
     */
    static BucketItem checked(Map<String, String> fields, String granularity) {
        Granularity parsed = Granularity.parse(granularity)
                .orElseThrow(() -> ParkedJson.invalid(Granularity.EXPECTED + " in granularity"));
        String partitionKey = fields.getOrDefault("pk", "");
        String sortKey = fields.getOrDefault("sk", "");
        try {
            BucketKey bucket = BucketKey.ofTableKeys(partitionKey, sortKey);
            SeriesKey series = bucket.series();
            ParkedJson.require(TenantNames.isValid(series.tenant()) && isName(series.dataset())
                    && series.keyShard() >= 0 && series.partitionKey().equals(partitionKey), "the key of a label in pk");
            ParkedJson.require(bucket.granularity().equals(parsed) && parsed.floor(bucket.start()).equals(bucket.start())
                    && bucket.sortKey().equals(sortKey),
                    "the key of a bucket in sk");
            return new BucketItem(partitionKey, sortKey, index(bucket, fields));
        } catch (IndexOutOfBoundsException | IllegalArgumentException | java.time.DateTimeException e) {
            throw ParkedJson.invalid("the keys of a bucket in pk and sk");
        }
    }

    private static @Nullable IndexKey index(BucketKey bucket, Map<String, String> fields) {
        String partitionKey = fields.get("ipk");
        String sortKey = fields.get("isk");
        if (partitionKey == null || sortKey == null) {
            ParkedJson.require(partitionKey == null && sortKey == null, "both of ipk and isk, or none");
            return null;
        }
        List<String> parts = KeyCodec.decode(partitionKey);
        int shard = Integer.parseInt(parts.get(parts.size() - 1));
        ParkedJson.require(shard >= 0 && bucket.indexPartitionKey(shard).equals(partitionKey)
                && bucket.indexSortKey().equals(sortKey), "the bucket's index keys in ipk and isk");
        return new IndexKey(partitionKey, sortKey);
    }
}
