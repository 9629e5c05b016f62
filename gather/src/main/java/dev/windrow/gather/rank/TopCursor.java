package dev.windrow.gather.rank;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

import dev.windrow.base.Decimals;
import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import dev.windrow.gather.plan.Cursor;
import dev.windrow.gather.range.Horizons;
import dev.windrow.gather.range.SummedRange;
import dev.windrow.gather.range.TimeRange;
import dev.windrow.table.Label;
import dev.windrow.time.Granularity;

/**
 * The cursor of a top list's page, that is, where it ended: the number and the label of its last group.
 *
 * @param place the last group
 * @param range the range of the first page
 */
public record TopCursor(RankPlace place, TimeRange range) {

    private static final String VERSION = "t1";

    /** Plain text only, as clients can forge cursors: a short text with an exponent may stand for a gigabyte of digits. */
    private static final Pattern NUMBER = Pattern.compile("-?[0-9]{1,200}(\\.[0-9]{1,200})?");

    public String encoded(String identity) {
        List<String> parts = new ArrayList<>(List.of(place.number().toPlainString()));
        parts.addAll(place.label().values());
        return Cursor.encoded(VERSION, identity, range, parts);
    }

    /**
     * Reads what {@link #encoded} wrote for the same query.
     *
     * @throws InvalidInputException with {@link Reason#INVALID_CURSOR}
     */
    public static TopCursor decoded(String text, String identity) {
        return Cursor.decoded(VERSION, text, identity, TopCursor::of);
    }

    /**
     * Returns what is summed, which is the same for all pages. A dataset whose buckets do not tile the range, such as a
     * roll-up with coarser ones, was not read for the first page and cannot be read for later ones.
     *
     * @param first which buckets exist for a first page
     * @throws InvalidInputException with {@link Reason#INVALID_CURSOR} if the range is not aligned, or has expired since
     */
    public SummedRange summed(Horizons first, List<Granularity> stored) {
        Horizons later = first.ofLaterPage();
        return SummedRange.exact(stored, range, later)
                .map(finest -> new SummedRange(stored, finest, range, later))
                .orElseThrow(Cursor::ofAnotherQuery);
    }

    private static Optional<TopCursor> of(TimeRange range, List<String> place) {
        Label label = new Label(place.subList(1, place.size()));
        return Optional.of(place.get(0)).filter(plain -> NUMBER.matcher(plain).matches()).map(BigDecimal::new)
                .filter(Decimals::fits).map(value -> new TopCursor(new RankPlace(value, label), range));
    }
}
