package dev.windrow.writer.store.journal;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

import dev.windrow.dataset.MeasureKind;
import dev.windrow.dataset.MeasureValue;
import dev.windrow.table.TableSchema;
import dev.windrow.writer.journal.record.BucketItem;
import dev.windrow.writer.journal.record.Change;
import dev.windrow.writer.journal.record.IndexKey;
import dev.windrow.writer.journal.request.Answer;
import dev.windrow.writer.journal.request.Request;
import dev.windrow.writer.store.RankKeys;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Additions to buckets as updates. The index keys are set once and kept: an item that changed them would move between index
 * partitions at two index writes instead of one.
 */
final class BucketItems {

    private static final int NANO_DIGITS = 9;

    private BucketItems() {
    }

    /** Adds counts and sums, provided that the lane's position in the item is below the first. */
    static AttributeUpdate sums(Request.ApplySums sums, RankKeys ranks) {
        AttributeUpdate update = positioned(sums.item(), ranks, sums.lane(), sums.first(), sums.last());
        for (Change change : sums.changes()) {
            update.add(TableSchema.measureAttribute(change.measure()), Attribute.number(change.value().value()));
        }
        // DynamoDB charges nothing for returning it.
        return sums.extremes().isEmpty() ? update : update.returningItem();
    }

    /** What follows from the item after sums were added. */
    static Answer done(Request.ApplySums sums, Map<String, AttributeValue> attributes) {
        StoredItem item = new StoredItem(attributes);
        return sums.extremes().isEmpty() ? Answer.DONE
                : new Answer.DoneBeside(sums.extremes().stream().filter(extreme -> isHeld(extreme, item))
                        .map(Change::measure).collect(Collectors.toSet()));
    }

    private static boolean isHeld(Change extreme, StoredItem item) {
        BigDecimal number = item.decimal(TableSchema.measureAttribute(extreme.measure()));
        BigDecimal time = item.decimal(TableSchema.measureTimeAttribute(extreme.measure()));
        if (number == null || (extreme.kind().isTimed() && time == null)) {
            return false;
        }
        MeasureValue stored = time == null ? MeasureValue.of(number) : MeasureValue.at(number, instant(time));
        MeasureValue best = extreme.kind().combine(stored, extreme.value());
        return best.value().compareTo(stored.value()) == 0 && Objects.equals(best.time(), stored.time());
    }

    private static Instant instant(BigDecimal seconds) {
        return Instant.ofEpochSecond(0, 0).plus(Duration.ofSeconds(seconds.longValue()))
                .plusNanos(seconds.remainder(BigDecimal.ONE).movePointRight(NANO_DIGITS).longValue());
    }

    /** Sets the lane's position only, as if the additions up to it were applied. */
    static AttributeUpdate mark(int lane, Request.ParkItem.Mark mark) {
        return positioned(mark.item(), RankKeys.NONE, lane, mark.first(), mark.last());
    }

    private static AttributeUpdate positioned(BucketItem item, RankKeys ranks, int lane, long first, long last) {
        String position = TableSchema.lanePosition(lane);
        AttributeUpdate update = indexed(item, ranks).set(position, Attribute.number(last));
        String name = update.name(position);
        return update.require("(attribute_not_exists(" + name + ") OR " + name + " < "
                + update.value(Attribute.number(first)) + ")");
    }

    /** Replaces an extreme if it is beaten. */
    static AttributeUpdate extreme(Request.ApplyExtreme extreme, RankKeys ranks) {
        Change change = extreme.change();
        MeasureValue value = change.value();
        String measure = TableSchema.measureAttribute(change.measure());
        AttributeUpdate update = indexed(extreme.item(), ranks).set(measure, Attribute.number(value.value()));
        String beats = change.kind() == MeasureKind.MIN || change.kind() == MeasureKind.FIRST ? " < " : " > ";
        String wins = update.value(Attribute.number(value.value())) + beats + update.name(measure);
        Instant time = value.time();
        if (time == null) {
            return update.require("(attribute_not_exists(" + update.name(measure) + ") OR " + wins + ")");
        }
        String timed = TableSchema.measureTimeAttribute(change.measure());
        Attribute seconds = Attribute.number(seconds(time));
        update.set(timed, seconds);
        String name = update.name(timed);
        String at = update.value(seconds);
        return update.require("(attribute_not_exists(" + name + ") OR " + at + beats + name + " OR (" + at + " = " + name
                + " AND " + wins + "))");
    }

    private static AttributeUpdate indexed(BucketItem item, RankKeys ranks) {
        AttributeUpdate update = new AttributeUpdate(item.partitionKey(), item.sortKey());
        // Set, not kept: this costs nothing where it is the same, and items follow what is declared.
        ranks.attributes(item.partitionKey(), item.sortKey())
                .forEach((attribute, key) -> update.set(attribute, Attribute.text(key)));
        IndexKey index = item.index();
        return index == null ? update
                : update.inIndex(index.partitionKey()).keep(TableSchema.INDEX_PK, Attribute.text(index.partitionKey()))
                        .keep(TableSchema.INDEX_SK, Attribute.text(index.sortKey()));
    }

    /**
     * The lane's position in an item.
     *
     * @throws IllegalArgumentException if it is no position
     */
    static long position(int lane, Map<String, AttributeValue> item) {
        return new StoredItem(item).number(TableSchema.lanePosition(lane));
    }

    /** An instant in exact decimal seconds since the epoch, as the table keeps it. */
    private static BigDecimal seconds(Instant time) {
        return BigDecimal.valueOf(time.getEpochSecond()).add(BigDecimal.valueOf(time.getNano(), NANO_DIGITS));
    }
}
