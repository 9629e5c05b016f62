package dev.windrow.quickstart.traffic;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.windrow.base.InvalidInputException;
import dev.windrow.dataset.Granularity;
import dev.windrow.dataset.TenantNames;
import dev.windrow.table.BucketKey;
import dev.windrow.table.Label;
import dev.windrow.table.SeriesKey;

/** The clicks of an access log's lines, and how many lines are left out because they are none that can be counted. */
public final class LogClicks {

    private int clicks;
    private int unreadable;
    private int tooLong;

    /** The click of a line; empty if the line is left out. */
    public Optional<Click> of(String line) {
        Optional<Click> click = ApacheLog.parse(line);
        if (click.isEmpty()) {
            unreadable++;
        } else if (!fits(click.get())) {
            tooLong++;
            return Optional.empty();
        } else {
            clicks++;
        }
        return click;
    }

    /** Whether the writer has a key for the click; it makes dead letters of others. */
    private static boolean fits(Click click) {
        SeriesKey series = new SeriesKey(TenantNames.DEFAULT, "clicks",
                Label.of(click.referrer(), click.page(), click.country()), 0);
        try {
            // All starts are written with 20 characters, so any of them shows whether the label fits.
            new BucketKey(series, Granularity.MINUTE, Instant.EPOCH).indexSortKey();
            return true;
        } catch (InvalidInputException e) {
            return false;
        }
    }

    /**
     * Requires that there was a click: totals of nothing would be exact, and prove nothing.
     *
     * @throws IllegalArgumentException if there was none
     */
    public void requireAny(Path log) {
        if (clicks == 0) {
            throw new IllegalArgumentException(
                    "-Dlog=" + log + ": no line of an Apache combined or common log that can be counted");
        }
    }

    /** What was left out so far, a sentence for each reason. */
    public List<String> leftOut() {
        List<String> sentences = new ArrayList<>();
        if (unreadable > 0) {
            sentences.add("%,d lines are no lines of a combined or common log and were left out".formatted(unreadable));
        }
        if (tooLong > 0) {
            sentences.add(
                    "%,d lines have a referrer and a page that are too long for a key and were left out".formatted(tooLong));
        }
        return sentences;
    }
}
