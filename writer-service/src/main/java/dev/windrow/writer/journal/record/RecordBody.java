package dev.windrow.writer.journal.record;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import dev.windrow.dataset.Decimals;
import dev.windrow.dataset.MeasureKind;
import dev.windrow.dataset.MeasureValue;

/**
 * The body of a record: time, the names of granularities, the names and kinds of measures, and the additions, whose keys are
 * written by what differs from the addition before; if they are deferred, then the records that each of them is of.
 */
final class RecordBody {

    private static final byte[] NOTHING = {};
    /** Kinds by their number in the storage format: additions at the end only. */
    private static final List<MeasureKind> KINDS = List.of(MeasureKind.COUNT, MeasureKind.SUM, MeasureKind.MIN,
            MeasureKind.MAX, MeasureKind.FIRST, MeasureKind.LAST);
    /** Bytes of the largest unscaled number: 38 digits are 127 bits. */
    private static final int NUMBER_BYTES = 16;
    private static final int MAX_SCALE = 200;
    /** Bytes that the shortest addition, change and name take. */
    private static final int ADDITION_BYTES = 9;
    private static final int CHANGE_BYTES = 4;
    private static final int NAME_BYTES = 2;

    private RecordBody() {
    }

    /** A measure of some dataset. */
    private record Measured(String name, MeasureKind kind) {

        static Measured of(Change change) {
            return new Measured(change.measure(), change.kind());
        }
    }

    /** The four keys of an item as UTF-8. */
    private static final class Keys {

        private byte[] partition = NOTHING;
        private byte[] sort = NOTHING;
        private byte[] indexPartition = NOTHING;
        private byte[] indexSort = NOTHING;
    }

    static byte[] write(JournalRecord record) {
        Map<String, Integer> granularities = new LinkedHashMap<>();
        Map<Measured, Integer> measures = new LinkedHashMap<>();
        for (Addition addition : record.additions()) {
            granularities.putIfAbsent(addition.granularity(), granularities.size());
            for (Change change : addition.changes()) {
                measures.putIfAbsent(Measured.of(change), measures.size());
            }
        }
        RecordWriter out = new RecordWriter();
        out.signed(record.claimedMillis());
        out.number(granularities.size());
        granularities.keySet().forEach(name -> out.text(NOTHING, name));
        out.number(measures.size());
        measures.keySet().forEach(measure -> {
            out.text(NOTHING, measure.name());
            out.octet(KINDS.indexOf(measure.kind()));
        });
        out.number(record.additions().size());
        Keys before = new Keys();
        for (Addition addition : record.additions()) {
            write(out, addition.item(), before);
            out.number(position(granularities, addition.granularity()));
            out.number(addition.changes().size());
            for (Change change : addition.changes()) {
                out.number(position(measures, Measured.of(change)));
                write(out, change.value());
            }
        }
        for (JournalRecord.Span span : record.spans()) {
            out.number(span.first());
            out.number(span.last());
            out.signed(span.claimedMillis());
        }
        return out.bytes();
    }

    private static <T> int position(Map<T, Integer> positions, T of) {
        Integer position = positions.get(of);
        if (position == null) {
            throw new IllegalStateException("no position of " + of);
        }
        return position;
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

    private static void write(RecordWriter out, MeasureValue value) {
        // One form of each number, so that equal records are equal bytes.
        BigDecimal number = value.value().signum() == 0 ? BigDecimal.ZERO : value.value().stripTrailingZeros();
        out.signed(number.scale());
        out.bytes(number.unscaledValue().toByteArray());
        Instant time = value.time();
        if (time != null) {
            out.signed(time.getEpochSecond());
            out.number(time.getNano());
        }
    }

    static JournalRecord read(byte[] body, boolean deferred) {
        RecordReader in = new RecordReader(body);
        long claimed = in.signed();
        List<String> granularities = list(in.count(NAME_BYTES), () -> RecordReader.string(in.text(NOTHING)));
        List<Measured> measures = list(in.count(NAME_BYTES + 1),
                () -> new Measured(RecordReader.string(in.text(NOTHING)), KINDS.get(in.position(KINDS.size()))));
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
                return new Change(measure.name(), measure.kind(), value(in, measure.kind()));
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
        List<T> list = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            list.add(each.get());
        }
        return list;
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

    private static MeasureValue value(RecordReader in, MeasureKind kind) {
        long scale = in.signed();
        byte[] unscaled = in.bytes();
        if (Math.abs(scale) > MAX_SCALE || unscaled.length == 0 || unscaled.length > NUMBER_BYTES + 1) {
            throw UnreadableRecordException.damaged("a number of scale " + scale + " and " + unscaled.length + " bytes");
        }
        BigDecimal number = new BigDecimal(new BigInteger(unscaled), (int) scale);
        if (!Decimals.fits(number)) {
            throw UnreadableRecordException.damaged("a number of more than " + Decimals.DIGITS + " digits");
        }
        return kind.isTimed() ? MeasureValue.at(number, time(in)) : MeasureValue.of(number);
    }

    private static Instant time(RecordReader in) {
        long second = in.signed();
        long nano = in.number();
        try {
            return Instant.ofEpochSecond(second, nano);
        } catch (DateTimeException | ArithmeticException e) {
            throw UnreadableRecordException.damaged("second " + second);
        }
    }
}
