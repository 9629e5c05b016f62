package dev.windrow.gather.plan;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.KeyCodec;
import dev.windrow.base.Reason;
import dev.windrow.dataset.Dataset;
import dev.windrow.gather.parameter.QueryParameter;
import dev.windrow.gather.range.TimeRange;
import dev.windrow.scatter.Murmur3;
import dev.windrow.table.BucketKey;
import dev.windrow.table.Label;
import dev.windrow.table.SeriesKey;
import dev.windrow.time.Granularity;
import dev.windrow.time.Rfc3339Parser;

/**
 * The cursor of a page, that is, where it ended: the last group's position in the index. That is enough, because positions
 * are unique within tenant, dataset and granularity, and sorted alike in every shard. The cursor also holds the range, which
 * relative times would otherwise move between pages, and a fingerprint of the query, so that no other query accepts it.
 *
 * @param position index sort key of the last bucket returned, without the key shard
 * @param range the range of the first page
 */
public record Cursor(String position, TimeRange range) {

    private static final String VERSION = "1";
    private static final int MAX_CHARACTERS = 8_192;

    public String encoded(String identity) {
        return encoded(VERSION, identity, range, List.of(position));
    }

    /**
     * Reads what {@link #encoded} wrote for the same query.
     *
     * @throws InvalidInputException with {@link Reason#INVALID_CURSOR}
     */
    public static Cursor decoded(String text, String identity) {
        return decoded(VERSION, text, identity, Cursor::of);
    }

    /**
     * Encodes what all cursors hold.
     *
     * @param version identifies the kind of cursor
     * @param place where the page ended, at least one text
     */
    public static String encoded(String version, String identity, TimeRange range, List<String> place) {
        List<String> parts = new ArrayList<>(List.of(version, fingerprint(identity),
                Long.toString(range.from().getEpochSecond()), Long.toString(range.to().getEpochSecond())));
        parts.addAll(place);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(KeyCodec.encode(parts).getBytes(UTF_8));
    }

    /** @param read makes a cursor from its range and place; returns empty, or throws, if they do not fit this kind */
    public static <T> T decoded(String version, String text, String identity,
            BiFunction<TimeRange, List<String>, Optional<T>> read) {
        try {
            byte[] key = Base64.getUrlDecoder().decode(text.length() > MAX_CHARACTERS ? "" : text);
            List<String> parts = KeyCodec.decode(new String(key, UTF_8));
            if (parts.size() < 5 || !parts.get(0).equals(version) || !parts.get(1).equals(fingerprint(identity))) {
                throw ofAnotherQuery();
            }
            TimeRange range = new TimeRange(Instant.ofEpochSecond(Long.parseLong(parts.get(2))),
                    Instant.ofEpochSecond(Long.parseLong(parts.get(3))));
            return Optional.of(range).filter(TimeRange.ALL::contains)
                    .flatMap(within -> read.apply(within, parts.subList(4, parts.size()))).orElseThrow(Cursor::ofAnotherQuery);
        } catch (DateTimeException | IllegalArgumentException e) {
            throw ofAnotherQuery();
        }
    }

    public static InvalidInputException ofAnotherQuery() {
        return new InvalidInputException(Reason.INVALID_CURSOR, QueryParameter.CURSOR.word(),
                "expected the `next` of a page of this same query (dataset, granularity, range, by, order, groups, filters)");
    }

    /**
     * Returns this cursor if a bucket of the dataset can be at its place. Clients can forge cursors, and DynamoDB rejects
     * bounds that are not valid keys.
     *
     * @param inTable whether its place bounds keys of the table, rather than of the index
     * @throws InvalidInputException with {@link Reason#INVALID_CURSOR}
     */
    public Cursor requirePlaceIn(DatasetScope scope, Granularity granularity, boolean inTable) {
        Dataset dataset = scope.dataset();
        List<String> parts = KeyCodec.decode(position);
        List<String> values = parts.subList(1, parts.size());
        // Other spellings of a start sort differently.
        boolean isStart = parts.get(0).equals(start().toString()) && granularity.isStart(start());
        if (!isStart || values.size() != dataset.label().size()) {
            throw ofAnotherQuery();
        }
        SeriesKey series = new SeriesKey(scope.tenant(), dataset.name(), new Label(values), dataset.partition(), 0);
        BucketKey bucket = new BucketKey(series, granularity, start());
        try {
            series.partitionKey();
            if (inTable) {
                bucket.sortKey();
            } else {
                bucket.indexSortKey();
            }
        } catch (InvalidInputException e) {
            throw ofAnotherQuery();
        }
        return this;
    }

    private static Optional<Cursor> of(TimeRange range, List<String> place) {
        Cursor cursor = new Cursor(place.get(0), range);
        Instant start = cursor.start();
        boolean inside = place.size() == 1 && !start.isBefore(range.from()) && start.isBefore(range.to());
        return inside ? Optional.of(cursor) : Optional.empty();
    }

    /** The start of the last bucket returned. */
    public Instant start() {
        return Rfc3339Parser.instant(KeyCodec.decode(position).get(0));
    }

    private static String fingerprint(String identity) {
        return Long.toHexString(Murmur3.hash64(identity));
    }

}
