package dev.windrow.writer.journal;

import java.io.IOException;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.windrow.base.Decimals;
import dev.windrow.base.InvalidInputException;
import dev.windrow.base.KeyCodec;
import dev.windrow.base.Reason;
import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.MeasureKind;
import dev.windrow.dataset.MeasurePart;
import dev.windrow.dataset.MeasurePartReader;
import dev.windrow.dataset.MeasurePartWriter;
import dev.windrow.scatter.WidthEpoch;
import dev.windrow.table.BucketKey;
import dev.windrow.time.EventTimes;
import dev.windrow.writer.decode.Message;
import dev.windrow.writer.decode.MessageBody;
import dev.windrow.writer.decode.Provenance;
import dev.windrow.writer.decode.SourceQueue;
import dev.windrow.writer.record.Addition;
import dev.windrow.writer.record.BucketItem;
import dev.windrow.writer.record.Change;
import dev.windrow.writer.record.ClaimId;
import dev.windrow.writer.record.ClaimUnit;
import dev.windrow.writer.record.IndexKey;

/**
 * Parked additions as a message. When it is replayed, the additions are claimed by its id and time, so that they count once,
 * however often it is replayed.
 */
public final class ParkedLetter {

    private static final String FORMAT = "1";
    private static final String ID_PREFIX = "parked-";
    private static final int HEX = 16;
    private static final String BODY = "body";
    private static final String GRANULARITY = "granularity";
    private static final String ADDITIONS = "additions";
    private static final String MEASURE = "measure";
    private static final String KIND = "kind";
    /** As in declarations of datasets. */
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_-]{0,62}");

    /** Far more than {@link #write} makes of all measures of a bucket. */
    private static final int MAX_BYTES = 1 << 18;
    private static final int MAX_ADDITIONS = 100;

    private static final ObjectMapper JSON = JsonMapper.builder(JsonFactory.builder().streamReadConstraints(
            StreamReadConstraints.builder().maxNestingDepth(3).build()).build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();

    private ParkedLetter() {
    }

    public static boolean isParked(Message message) {
        return message.attributes().containsKey(Provenance.PARKED);
    }

    /** Writes parked additions, as a message of a queue that their messages may have come from. */
    public static Message write(Request.SendParked parked, SourceQueue queue, Instant now) {
        String id = ID_PREFIX + Long.toHexString(parked.id().hash());
        return new Message(queue, id, "", MessageBody.of(json(parked)), Map.of(Provenance.PARKED, FORMAT),
                Instant.ofEpochMilli(parked.id().millis()), now, 1, id);
    }

    /**
     * Reads replayed parked additions from a decompressed body; fails if it is not valid.
     *
     * @param datasets of this writer; additions to one of them must be such as it makes
     */
    public static ClaimUnit read(Message message, MessageBody body, Datasets datasets) {
        String format = message.attributes().get(Provenance.PARKED);
        if (!FORMAT.equals(format)) {
            throw new InvalidInputException(Reason.INVALID_ENVELOPE, Provenance.PARKED,
                    "expected format " + FORMAT + ", found " + format);
        }
        ClaimId id = new ClaimId(ClaimId.Kind.PARKED, message.identityMillis(), hash(message.identity()));
        return new ClaimUnit(id, List.of(addition(body.utf8(), datasets)));
    }

    private static long hash(String id) {
        try {
            if (id.startsWith(ID_PREFIX)) {
                return Long.parseUnsignedLong(id.substring(ID_PREFIX.length()), HEX);
            }
        } catch (NumberFormatException e) {
            // Reported below, with what was expected.
        }
        throw new InvalidInputException(Reason.INVALID_ENVELOPE, Provenance.SOURCE_MESSAGE_ID,
                "expected " + ID_PREFIX + " and a hexadecimal number, found " + id);
    }

    /** The body of a dead letter of parked additions: human-readable, and strictly checked when it is replayed. */
    private static String json(Request.SendParked parked) {
        ObjectNode json = JSON.createObjectNode().put("pk", parked.item().partitionKey()).put("sk", parked.item().sortKey());
        IndexKey index = parked.item().index();
        if (index != null) {
            json.put("ipk", index.partitionKey()).put("isk", index.sortKey());
        }
        ArrayNode additions = json.put(GRANULARITY, parked.granularity()).putArray(ADDITIONS);
        parked.changes().forEach(change -> write(change, additions.addObject()));
        return json.toString();
    }

    private static void write(Change change, ObjectNode json) {
        json.put(MEASURE, change.measure()).put(KIND, change.kind().word());
        change.kind().write(change.value(), new MeasurePartWriter() {
            @Override
            public void number(MeasurePart part, BigDecimal number) {
                json.put(part.word(), Decimals.canonical(number));
            }

            @Override
            public void time(MeasurePart part, Instant time) {
                json.put(part.word(), time.toString());
            }
        });
    }

    private static Addition addition(byte[] body, Datasets datasets) {
        require(body.length <= MAX_BYTES, "at most " + MAX_BYTES + " bytes");
        JsonNode json;
        try {
            json = JSON.readTree(body);
        } catch (IOException e) {
            throw new InvalidInputException(Reason.NOT_JSON, BODY, "expected parked additions, found " + e.getMessage());
        }
        JsonNode additions = json.path(ADDITIONS);
        require(json.isObject() && additions.isArray() && additions.size() <= MAX_ADDITIONS,
                "an object with " + ADDITIONS + ", at most " + MAX_ADDITIONS);
        List<Change> changes = new ArrayList<>();
        additions.forEach(addition -> changes.add(change(texts(addition))));
        require(!changes.isEmpty() && changes.stream().map(Change::measure).distinct().count() == changes.size(),
                "at least one addition, and one for each measure at most");
        ((ObjectNode) json).remove(ADDITIONS);
        Map<String, String> fields = texts(json);
        String partitionKey = fields.getOrDefault("pk", "");
        String sortKey = fields.getOrDefault("sk", "");
        BucketKey bucket = bucket(partitionKey, sortKey, fields.getOrDefault(GRANULARITY, ""));
        BucketItem item = new BucketItem(partitionKey, sortKey, index(bucket, fields));
        datasets.named(bucket.series().dataset()).ifPresent(dataset -> requireMadeBy(dataset, bucket, item, changes));
        return new Addition(item, bucket.granularity().name(), changes);
    }

    private static Map<String, String> texts(JsonNode json) {
        require(json.isObject(), "objects in " + ADDITIONS);
        Map<String, String> texts = new HashMap<>();
        json.properties().forEach(field -> {
            require(field.getValue().isTextual(), "text in " + field.getKey());
            texts.put(field.getKey(), field.getValue().textValue());
        });
        return texts;
    }

    private static Change change(Map<String, String> texts) {
        MeasureKind kind = MeasureKind.parse(texts.getOrDefault(KIND, ""))
                .orElseThrow(() -> invalid("the kind of a measure in " + KIND));
        String measure = texts.getOrDefault(MEASURE, "");
        require(isName(measure), "the name of a measure in " + MEASURE);
        return new Change(measure, kind, kind.read(new Texts(texts)));
    }

    private record Texts(Map<String, String> texts) implements MeasurePartReader {

        @Override
        public BigDecimal number(MeasurePart part) {
            BigDecimal number = Decimals.parse(texts.getOrDefault(part.word(), ""));
            if (number == null || !Decimals.fits(number)) {
                throw invalid(Decimals.EXPECTED + " in " + part.word());
            }
            return number.signum() == 0 ? BigDecimal.ZERO : number;
        }

        @Override
        public Instant time(MeasurePart part) {
            try {
                return EventTimes.inRange(BODY, Instant.parse(texts.getOrDefault(part.word(), "")));
            } catch (DateTimeException e) {
                throw invalid("a time in " + part.word());
            }
        }
    }

    private static void require(boolean met, String expectation) {
        if (!met) {
            throw invalid(expectation);
        }
    }

    private static InvalidInputException invalid(String expectation) {
        return new InvalidInputException(Reason.INVALID_ENVELOPE, BODY, "expected " + expectation);
    }

    private static boolean isName(String text) {
        return NAME.matcher(text).matches();
    }

    /**
     * Returns the bucket that the keys name. They must be exactly what the key codec writes for it, so that a sender of events
     * cannot write any other item of the table.
     */
    private static BucketKey bucket(String partitionKey, String sortKey, String granularity) {
        BucketKey bucket = BucketKey.ofItem(partitionKey, sortKey)
                .orElseThrow(() -> invalid("the keys of a bucket in pk and sk"));
        require(isName(bucket.series().dataset()), "the name of a dataset in pk");
        require(bucket.granularity().name().equals(granularity), "the granularity of sk in " + GRANULARITY);
        return bucket;
    }

    private static @Nullable IndexKey index(BucketKey bucket, Map<String, String> fields) {
        String partitionKey = fields.get("ipk");
        String sortKey = fields.get("isk");
        if (partitionKey == null || sortKey == null) {
            require(partitionKey == null && sortKey == null, "both of ipk and isk, or none");
            return null;
        }
        int shard = shard(partitionKey);
        require(shard >= 0 && bucket.indexPartitionKey(shard).equals(partitionKey)
                && bucket.indexSortKey().equals(sortKey), "the bucket's index keys in ipk and isk");
        return new IndexKey(partitionKey, sortKey);
    }

    /** Returns the scatter shard in a partition key of the index; -1 if there is none. */
    private static int shard(String partitionKey) {
        try {
            return Integer.parseInt(partitionKey.substring(partitionKey.lastIndexOf(KeyCodec.SEPARATOR) + 1));
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    /** Queries would fail on an item with another label or kind of measure, and miss one in another shard. */
    private static void requireMadeBy(Dataset dataset, BucketKey bucket, BucketItem item, List<Change> changes) {
        require(bucket.series().label().values().size() == dataset.label().size(),
                "a label of dataset " + dataset.name() + " in pk and sk");
        IndexKey index = item.index();
        require(index == null || shard(index.partitionKey()) < dataset.scatter().epochs().stream()
                .mapToInt(WidthEpoch::width).max().orElse(0), "a scatter shard of dataset " + dataset.name() + " in ipk");
        changes.forEach(change -> dataset.measure(change.measure()).ifPresent(measure -> require(
                measure.kind() == change.kind(), "kind " + measure.kind().word() + " for measure " + measure.name())));
    }
}
