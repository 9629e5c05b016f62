package dev.windrow.writer.journal;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
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
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.KeyCodec;
import dev.windrow.base.Reason;
import dev.windrow.dataset.Decimals;
import dev.windrow.dataset.Granularity;
import dev.windrow.dataset.MeasureKind;
import dev.windrow.dataset.MeasureKind.Part;
import dev.windrow.dataset.MeasureKind.PartReader;
import dev.windrow.dataset.MeasureKind.PartWriter;
import dev.windrow.dataset.TenantNames;
import dev.windrow.table.BucketKey;
import dev.windrow.table.SeriesKey;
import dev.windrow.writer.decode.Message;
import dev.windrow.writer.decode.Message.MessageBody;
import dev.windrow.writer.decode.Message.Provenance;
import dev.windrow.writer.decode.Message.SourceQueue;
import dev.windrow.writer.journal.ClaimUnit.ClaimId;
import dev.windrow.writer.journal.JournalRecord.Addition;
import dev.windrow.writer.journal.JournalRecord.BucketItem;
import dev.windrow.writer.journal.JournalRecord.Change;
import dev.windrow.writer.journal.JournalRecord.IndexKey;

/**
 * Parked additions as a message. Its id and time are those by which the additions are claimed when it is replayed, so that
 * they count once, however often that is done.
 */
public final class ParkedLetter {

    private static final String FORMAT = "1";
    private static final String ID_PREFIX = "parked-";
    private static final int HEX = 16;

    private ParkedLetter() {
    }

    /** Whether a message holds additions instead of events. */
    public static boolean isParked(Message message) {
        return message.attributes().containsKey(Provenance.PARKED);
    }

    /**
     * Writes parked additions.
     *
     * @param queue that their messages may have come from
     * @param now when they were parked
     */
    public static Message write(Request.SendParked parked, SourceQueue queue, Instant now) {
        String id = ID_PREFIX + Long.toHexString(parked.id().hash());
        return new Message(queue, id, "", MessageBody.of(ParkedJson.write(parked)), Map.of(Provenance.PARKED, FORMAT),
                Instant.ofEpochMilli(parked.id().millis()), now, 1, id);
    }

    /**
     * Reads replayed parked additions.
     *
     * @param body the message's, decompressed
     * @throws InvalidInputException if the message is not valid parked additions
     */
    public static ClaimUnit read(Message message, MessageBody body) {
        String format = message.attributes().get(Provenance.PARKED);
        if (!FORMAT.equals(format)) {
            throw new InvalidInputException(Reason.INVALID_ENVELOPE, Provenance.PARKED,
                    "expected format " + FORMAT + ", found " + format);
        }
        ClaimId id = new ClaimId(ClaimId.Kind.PARKED, message.identityMillis(), hash(message.identity()));
        return new ClaimUnit(id, List.of(ParkedJson.read(body.utf8())));
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
    static final class ParkedJson {

        private static final JsonFactory JSON = JsonFactory.builder().streamReadConstraints(
                StreamReadConstraints.builder().maxNestingDepth(3).build()).build();
        private static final String BODY = "body";
        private static final String GRANULARITY = "granularity";
        private static final String ADDITIONS = "additions";
        private static final String MEASURE = "measure";
        private static final String KIND = "kind";

        private ParkedJson() {
        }

        static String write(Request.SendParked parked) {
            StringWriter text = new StringWriter();
            try (JsonGenerator json = JSON.createGenerator(text)) {
                json.writeStartObject();
                json.writeStringField("pk", parked.item().partitionKey());
                json.writeStringField("sk", parked.item().sortKey());
                IndexKey index = parked.item().index();
                if (index != null) {
                    json.writeStringField("ipk", index.partitionKey());
                    json.writeStringField("isk", index.sortKey());
                }
                json.writeStringField(GRANULARITY, parked.granularity());
                json.writeArrayFieldStart(ADDITIONS);
                for (Change change : parked.changes()) {
                    write(change, json);
                }
                json.writeEndArray();
                json.writeEndObject();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return text.toString();
        }

        private static void write(Change change, JsonGenerator json) throws IOException {
            json.writeStartObject();
            json.writeStringField(MEASURE, change.measure());
            json.writeStringField(KIND, change.kind().word());
            change.kind().write(change.value(), new PartWriter() {
                @Override
                public void number(Part part, BigDecimal number) {
                    text(part, Decimals.canonical(number));
                }

                @Override
                public void time(Part part, Instant time) {
                    text(part, time.toString());
                }

                private void text(Part part, String text) {
                    try {
                        json.writeStringField(part.word(), text);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                }
            });
            json.writeEndObject();
        }

        static Addition read(byte[] body) {
            Map<String, String> fields = new HashMap<>();
            List<Change> changes = new ArrayList<>();
            try (JsonParser json = JSON.createParser(body)) {
                require(json.nextToken() == JsonToken.START_OBJECT, "an object");
                while (json.nextToken() == JsonToken.FIELD_NAME) {
                    String name = json.currentName();
                    if (json.nextToken() == JsonToken.START_ARRAY && name.equals(ADDITIONS)) {
                        while (json.nextToken() == JsonToken.START_OBJECT) {
                            changes.add(change(texts(json)));
                        }
                        require(json.currentToken() == JsonToken.END_ARRAY, "objects in " + ADDITIONS);
                    } else {
                        require(json.currentToken() == JsonToken.VALUE_STRING, "text in " + name);
                        fields.put(name, json.getText());
                    }
                }
                require(json.currentToken() == JsonToken.END_OBJECT && json.nextToken() == null, "one object");
            } catch (IOException e) {
                throw new InvalidInputException(Reason.NOT_JSON, BODY, "expected parked additions, found " + e.getMessage());
            }
            require(!changes.isEmpty() && changes.stream().map(Change::measure).distinct().count() == changes.size(),
                    "at least one addition, and one for each measure at most");
            String granularity = fields.getOrDefault(GRANULARITY, "");
            return new Addition(ParkedKeys.checked(fields, granularity), granularity, changes);
        }

        private static Map<String, String> texts(JsonParser json) throws IOException {
            Map<String, String> texts = new HashMap<>();
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String name = json.currentName();
                require(json.nextToken() == JsonToken.VALUE_STRING, "text in " + name);
                texts.put(name, json.getText());
            }
            return texts;
        }

        private static Change change(Map<String, String> texts) {
            MeasureKind kind = MeasureKind.parse(texts.getOrDefault(KIND, ""))
                    .orElseThrow(() -> invalid("the kind of a measure in " + KIND));
            String measure = texts.getOrDefault(MEASURE, "");
            require(ParkedKeys.isName(measure), "the name of a measure in " + MEASURE);
            return new Change(measure, kind, kind.read(new Texts(texts)));
        }

        /** The parts of a value as text. */
        private record Texts(Map<String, String> texts) implements PartReader {

            @Override
            public BigDecimal number(Part part) {
                try {
                    BigDecimal number = new BigDecimal(texts.getOrDefault(part.word(), ""));
                    require(Decimals.fits(number), Decimals.EXPECTED + " in " + part.word());
                    return number.signum() == 0 ? BigDecimal.ZERO : number;
                } catch (NumberFormatException e) {
                    throw invalid("a number in " + part.word());
                }
            }

            @Override
            public Instant time(Part part) {
                try {
                    return Instant.parse(texts.getOrDefault(part.word(), ""));
                } catch (DateTimeException e) {
                    throw invalid("a time in " + part.word());
                }
            }
        }

        static void require(boolean met, String expectation) {
            if (!met) {
                throw invalid(expectation);
            }
        }

        static InvalidInputException invalid(String expectation) {
            return new InvalidInputException(Reason.INVALID_ENVELOPE, BODY, "expected " + expectation);
        }
    }

    /**
     * Checks the keys of a replayed letter: they must be what the key codec writes for a bucket, so that a sender of events
     * cannot write any other item of the table.
     */
    static final class ParkedKeys {

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
}
