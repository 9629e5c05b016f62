package dev.windrow.writer.record;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.util.ByteArrayBuilder;

import dev.windrow.base.Decimals;
import dev.windrow.dataset.MeasureKind;
import dev.windrow.dataset.MeasurePart;
import dev.windrow.dataset.MeasurePartReader;
import dev.windrow.dataset.MeasurePartWriter;
import dev.windrow.table.AwsLimits;

/**
 * Encodes a record: one byte of format, the length of the uncompressed body, and the body, compressed with zlib (RFC 1950),
 * whose checksum detects damage. Part of the storage format: the meaning of a format never changes; a new meaning is a new
 * format. Format 1 is for records of claims, format 2 for records of deferred additions.
 */
public final class RecordCodec {

    private static final byte[] NOTHING = {};
    /** Minimum number of bytes of an addition, a change and a name. */
    private static final int ADDITION_BYTES = 9;
    private static final int CHANGE_BYTES = 4;
    private static final int NAME_BYTES = 2;

    public static final int FORMAT = 1;

    /** The format of records of deferred additions, and the newest one that this release reads. */
    public static final int DEFERRED_FORMAT = 2;

    /** Maximum length of a body, in bytes. Limits the memory that a damaged record can take. */
    public static final int MAX_BODY_BYTES = 16 * 1_024 * 1_024;

    private static final int HEADER_BYTES = 5;

    private RecordCodec() {
    }

    /** Writes a record; fails if its body is longer than {@link #MAX_BODY_BYTES}. */
    public static byte[] encode(JournalRecord record) {
        byte[] body = write(record);
        if (body.length > MAX_BODY_BYTES) {
            throw new IllegalArgumentException("expected a record of at most " + MAX_BODY_BYTES + " bytes, found "
                    + body.length);
        }
        // The fastest level: keys repeat so much that the best one gains little.
        Deflater deflater = new Deflater(Deflater.BEST_SPEED);
        try {
            deflater.setInput(body);
            deflater.finish();
            byte[] bytes = new byte[HEADER_BYTES + bound(body.length)];
            ByteBuffer.wrap(bytes).put((byte) (record.isDeferred() ? DEFERRED_FORMAT : FORMAT)).putInt(body.length);
            int length = deflater.deflate(bytes, HEADER_BYTES, bytes.length - HEADER_BYTES);
            return Arrays.copyOf(bytes, HEADER_BYTES + length);
        } finally {
            deflater.end();
        }
    }

    /** Reads a record; fails with an {@link UnreadableRecordException} if it is damaged, or of a newer format. */
    public static JournalRecord decode(byte[] bytes) {
        if (bytes.length < HEADER_BYTES) {
            throw UnreadableRecordException.damaged(bytes.length + " bytes");
        }
        int format = bytes[0] & 0xFF;
        if (format > DEFERRED_FORMAT) {
            throw UnreadableRecordException.newer(format);
        }
        long length = Integer.toUnsignedLong(ByteBuffer.wrap(bytes).getInt(1));
        if (format < FORMAT || length > MAX_BODY_BYTES) {
            throw UnreadableRecordException.damaged("format " + format + " and a body of " + length + " bytes");
        }
        return read(inflated(bytes, (int) length), format == DEFERRED_FORMAT);
    }

    private static byte[] inflated(byte[] bytes, int length) {
        Inflater inflater = new Inflater();
        try (InputStream in = new InflaterInputStream(
                new ByteArrayInputStream(bytes, HEADER_BYTES, bytes.length - HEADER_BYTES), inflater, bytes.length)) {
            // One byte more, to detect a body that is longer than its stated length.
            byte[] body = in.readNBytes(length + 1);
            if (body.length != length || inflater.getRemaining() != 0) {
                throw UnreadableRecordException.damaged("another length than its header says");
            }
            return body;
        } catch (IOException e) {
            throw UnreadableRecordException.damaged("a body that is not valid zlib");
        } finally {
            inflater.end();
        }
    }

    /** Returns the maximum output of zlib for an input: 5 extra bytes per stored block of 16,383, and a margin. */
    private static int bound(int length) {
        return length + 5 * (length / 16_383 + 1) + 64;
    }

    /** The four keys of an item as UTF-8. */
    private static final class Keys {

        private byte[] partition = NOTHING;
        private byte[] sort = NOTHING;
        private byte[] indexPartition = NOTHING;
        private byte[] indexSort = NOTHING;
    }

    /**
     * Encodes the body of a record: its time, the names of granularities, the names and kinds of measures, and the additions,
     * with their keys as differences from the previous addition. Deferred additions are followed by the span of each.
     */
    static byte[] write(JournalRecord record) {
        Map<String, Integer> granularities = new LinkedHashMap<>();
        Map<Measured, Integer> measures = new LinkedHashMap<>();
        for (Addition addition : record.additions()) {
            granularities.putIfAbsent(addition.granularity(), granularities.size());
            for (Change change : addition.changes()) {
                measures.putIfAbsent(change.measured(), measures.size());
            }
        }
        RecordWriter out = new RecordWriter();
        out.signed(record.claimedMillis());
        out.number(granularities.size());
        granularities.keySet().forEach(name -> out.text(NOTHING, name));
        out.number(measures.size());
        measures.keySet().forEach(measure -> {
            out.text(NOTHING, measure.name());
            out.octet(measure.kind().code());
        });
        out.number(record.additions().size());
        Keys before = new Keys();
        for (Addition addition : record.additions()) {
            write(out, addition.item(), before);
            out.number(Objects.requireNonNull(granularities.get(addition.granularity())));
            out.number(addition.changes().size());
            for (Change change : addition.changes()) {
                out.number(Objects.requireNonNull(measures.get(change.measured())));
                change.kind().write(change.value(), out);
            }
        }
        for (JournalRecord.Span span : record.spans()) {
            out.number(span.first());
            out.number(span.last());
            out.signed(span.claimedMillis());
        }
        return out.bytes();
    }

    private static void write(RecordWriter out, BucketItem item, Keys before) {
        IndexKey index = item.index();
        before.partition = out.text(before.partition, item.partitionKey());
        before.sort = out.text(before.sort, item.sortKey());
        out.octet(index == null ? 0 : 1);
        if (index != null) {
            before.indexPartition = out.text(before.indexPartition, index.partitionKey());
            before.indexSort = out.text(before.indexSort, index.sortKey());
        }
    }

    static JournalRecord read(byte[] body, boolean deferred) {
        RecordReader in = new RecordReader(body);
        long claimed = in.signed();
        List<String> granularities = list(in.count(NAME_BYTES), () -> RecordReader.string(in.text(NOTHING)));
        List<Measured> measures = list(in.count(NAME_BYTES + 1),
                () -> new Measured(RecordReader.string(in.text(NOTHING)), kind(in)));
        Keys before = new Keys();
        List<Addition> additions = list(in.count(ADDITION_BYTES), () -> {
            BucketItem item = item(in, before);
            String granularity = granularities.get(in.position(granularities.size()));
            int changes = in.count(CHANGE_BYTES);
            if (changes == 0) {
                throw UnreadableRecordException.damaged("an addition without changes");
            }
            return new Addition(item, granularity, list(changes, () -> {
                Measured measure = measures.get(in.position(measures.size()));
                return new Change(measure.name(), measure.kind(), measure.kind().read(in));
            }));
        });
        List<JournalRecord.Span> spans = list(deferred ? additions.size() : 0, () -> span(in));
        in.requireEnd();
        return new JournalRecord(claimed, additions, spans);
    }

    private static JournalRecord.Span span(RecordReader in) {
        long first = in.number();
        long last = in.number();
        if (first < 1 || last < first) {
            throw UnreadableRecordException.damaged("additions of records " + first + " to " + last);
        }
        return new JournalRecord.Span(first, last, in.signed());
    }

    private static <T> List<T> list(int count, Supplier<T> each) {
        return IntStream.range(0, count).mapToObj(i -> each.get()).toList();
    }

    private static BucketItem item(RecordReader in, Keys before) {
        before.partition = in.text(before.partition);
        before.sort = in.text(before.sort);
        String partition = RecordReader.string(before.partition);
        String sort = RecordReader.string(before.sort);
        return new BucketItem(partition, sort, in.position(2) == 0 ? null : index(in, before));
    }

    private static @Nullable IndexKey index(RecordReader in, Keys before) {
        before.indexPartition = in.text(before.indexPartition);
        before.indexSort = in.text(before.indexSort);
        return new IndexKey(RecordReader.string(before.indexPartition), RecordReader.string(before.indexSort));
    }

    private static MeasureKind kind(RecordReader in) {
        int code = in.position(Byte.MAX_VALUE);
        return MeasureKind.ofCode(code).orElseThrow(() -> UnreadableRecordException.damaged("a measure of kind " + code));
    }

    /** Reads the output of {@link RecordWriter}. Never reads beyond the end, whatever the bytes say. */
    static final class RecordReader implements MeasurePartReader {

        private static final int NUMBER_BITS = 63;
        /** Bytes of the largest unscaled number: 38 digits are 127 bits. */
        private static final int DECIMAL_BYTES = 16;
        private static final int MAX_SCALE = 200;

        private final byte[] bytes;
        private int at;

        RecordReader(byte[] bytes) {
            this.bytes = bytes;
        }

        long number() {
            long number = 0;
            for (int shift = 0; shift <= NUMBER_BITS; shift += 7) {
                int octet = octet();
                number |= (long) (octet & 0x7F) << shift;
                if ((octet & 0x80) == 0) {
                    return number;
                }
            }
            throw UnreadableRecordException.damaged("a number without end");
        }

        long signed() {
            long number = number();
            return (number >>> 1) ^ -(number & 1);
        }

        int octet() {
            if (at == bytes.length) {
                throw UnreadableRecordException.damaged("an early end");
            }
            return bytes[at++] & 0xFF;
        }

        /** Reads a count of elements that take at least {@code bytesOfEach} bytes each. */
        int count(int bytesOfEach) {
            long count = number();
            if (count < 0 || count > (bytes.length - at) / bytesOfEach) {
                throw UnreadableRecordException.damaged("a count of " + count);
            }
            return (int) count;
        }

        int position(int size) {
            long position = number();
            if (position < 0 || position >= size) {
                throw UnreadableRecordException.damaged("position " + position + " of " + size);
            }
            return (int) position;
        }

        byte[] bytes() {
            int count = count(1);
            at += count;
            return Arrays.copyOfRange(bytes, at - count, at);
        }

        byte[] text(byte[] before) {
            int shared = position(before.length + 1);
            byte[] rest = bytes();
            if (shared + rest.length > AwsLimits.PARTITION_KEY_BYTES) {
                throw UnreadableRecordException.damaged("a text of " + (shared + rest.length) + " bytes");
            }
            byte[] text = Arrays.copyOf(before, shared + rest.length);
            System.arraycopy(rest, 0, text, shared, rest.length);
            return text;
        }

        @Override
        public BigDecimal number(MeasurePart part) {
            long scale = signed();
            byte[] unscaled = bytes();
            if (Math.abs(scale) > MAX_SCALE || unscaled.length == 0 || unscaled.length > DECIMAL_BYTES + 1) {
                throw UnreadableRecordException.damaged("a number of scale " + scale + " and " + unscaled.length + " bytes");
            }
            BigDecimal number = new BigDecimal(new BigInteger(unscaled), (int) scale);
            if (!Decimals.fits(number)) {
                throw UnreadableRecordException.damaged("a number of more than " + Decimals.DIGITS + " digits");
            }
            return number;
        }

        @Override
        public Instant time(MeasurePart part) {
            long second = signed();
            long nano = number();
            try {
                return Instant.ofEpochSecond(second, nano);
            } catch (DateTimeException | ArithmeticException e) {
                throw UnreadableRecordException.damaged("second " + second);
            }
        }

        static String string(byte[] utf8) {
            try {
                return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8)).toString();
            } catch (CharacterCodingException e) {
                throw UnreadableRecordException.damaged("text that is not UTF-8");
            }
        }

        void requireEnd() {
            if (at != bytes.length) {
                throw UnreadableRecordException.damaged(bytes.length - at + " bytes too many");
            }
        }

    }

    /** Writes the parts of a record: numbers in variable length, and texts as differences from the previous one. */
    static final class RecordWriter implements MeasurePartWriter {

        private static final int USUAL_BYTES = 8_192;

        private final ByteArrayBuilder out = new ByteArrayBuilder(USUAL_BYTES);

        byte[] bytes() {
            return out.toByteArray();
        }

        void number(long number) {
            long rest = number;
            while ((rest & ~0x7FL) != 0) {
                octet((int) (rest & 0x7F) | 0x80);
                rest >>>= 7;
            }
            octet((int) rest);
        }

        /** Writes a number that may be negative, in zigzag encoding: small numbers of either sign are short. */
        void signed(long number) {
            number((number << 1) ^ (number >> 63));
        }

        void octet(int octet) {
            out.append(octet);
        }

        void bytes(byte[] some) {
            number(some.length);
            out.write(some, 0, some.length);
        }

        @Override
        public void number(MeasurePart part, BigDecimal decimal) {
            // One form per number, so that equal records have equal bytes.
            BigDecimal number = decimal.signum() == 0 ? BigDecimal.ZERO : decimal.stripTrailingZeros();
            signed(number.scale());
            bytes(number.unscaledValue().toByteArray());
        }

        @Override
        public void time(MeasurePart part, Instant time) {
            signed(time.getEpochSecond());
            number(time.getNano());
        }

        /** Writes a text as the number of leading bytes shared with the previous one, and the others; returns its bytes. */
        byte[] text(byte[] before, String text) {
            byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
            int common = Arrays.mismatch(before, utf8);
            int shared = common < 0 ? utf8.length : common;
            number(shared);
            number(utf8.length - shared);
            out.write(utf8, shared, utf8.length - shared);
            return utf8;
        }
    }

}
