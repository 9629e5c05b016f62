package dev.windrow.gather.query;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.KeyCodec;
import dev.windrow.base.Reason;
import dev.windrow.dataset.Decimals;
import dev.windrow.dataset.Scatter.Murmur3;
import dev.windrow.table.Label;

/**
 * The cursor of a top list's page, that is, where it ended: the number and the label of its last group. The cursor also holds
 * the range, which relative times would otherwise move between pages, and a fingerprint of the query, so that no other query
 * accepts it.
 *
 * @param place the last group
 * @param range the range of the first page
 */
public record TopCursor(RankOrder.Place place, TimeRange range) {

    private static final String VERSION = "t1";
    private static final int MAX_CHARACTERS = 8_192;
    private static final int PARTS_BEFORE_LABEL = 5;

    /** Plain text only, as clients can forge cursors: a short text with an exponent may stand for a gigabyte of digits. */
    private static final Pattern NUMBER = Pattern.compile("-?[0-9]{1,200}(\\.[0-9]{1,200})?");

    /** The opaque text for clients. */
    String encoded(String identity) {
        List<String> parts = new ArrayList<>(List.of(VERSION, fingerprint(identity),
                Long.toString(range.from().getEpochSecond()), Long.toString(range.to().getEpochSecond()),
                place.number().toPlainString()));
        parts.addAll(place.label().values());
        return Base64.getUrlEncoder().withoutPadding().encodeToString(KeyCodec.encode(parts).getBytes(UTF_8));
    }

    /**
     * Reads what {@link #encoded} wrote for the same query.
     *
     * @throws InvalidInputException with {@link Reason#INVALID_CURSOR}
     */
    static TopCursor decoded(String text, String identity) {
        return parts(text).filter(parts -> parts.get(0).equals(VERSION) && parts.get(1).equals(fingerprint(identity)))
                .flatMap(TopCursor::ofParts).orElseThrow(TopCursor::ofAnotherQuery);
    }

    private static InvalidInputException ofAnotherQuery() {
        return new InvalidInputException(Reason.INVALID_CURSOR, QueryParameter.CURSOR.word(),
                "expected the `next` of a page of this same query (dataset, range, by, order, groups, filters)");
    }

    /**
     * The range, which all pages share. A dataset whose buckets do not tile it, such as a roll-up with coarser ones, was not
     * read for the first page, and cannot be read for another.
     *
     * @param alignment to the dataset's buckets
     * @throws InvalidInputException with {@link Reason#INVALID_CURSOR} if it is not aligned
     */
    TimeRange alignedRange(UnaryOperator<TimeRange> alignment) {
        if (!alignment.apply(range).equals(range)) {
            throw ofAnotherQuery();
        }
        return range;
    }

    private static Optional<List<String>> parts(String text) {
        try {
            byte[] key = Base64.getUrlDecoder().decode(text.length() > MAX_CHARACTERS ? "" : text);
            return Optional.of(KeyCodec.decode(new String(key, UTF_8)))
                    .filter(parts -> parts.size() >= PARTS_BEFORE_LABEL);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static Optional<TopCursor> ofParts(List<String> parts) {
        try {
            TimeRange range = new TimeRange(Instant.ofEpochSecond(Long.parseLong(parts.get(2))),
                    Instant.ofEpochSecond(Long.parseLong(parts.get(3))));
            Label label = new Label(parts.subList(PARTS_BEFORE_LABEL, parts.size()));
            return number(parts.get(4)).filter(number -> TimeRange.ALL.contains(range))
                    .map(number -> new TopCursor(new RankOrder.Place(number, label), range));
        } catch (DateTimeException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static Optional<BigDecimal> number(String text) {
        return Optional.of(text).filter(plain -> NUMBER.matcher(plain).matches()).map(BigDecimal::new)
                .filter(Decimals::fits);
    }

    private static String fingerprint(String identity) {
        return Long.toHexString(Murmur3.hash64(identity));
    }
}
