package dev.windrow.gather.answer;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * One bucket of a series.
 *
 * @param start its start
 * @param numbers one for each measure of the dataset, null where it has no value
 */
public record SeriesPoint(Instant start, List<@Nullable BigDecimal> numbers) {
}
