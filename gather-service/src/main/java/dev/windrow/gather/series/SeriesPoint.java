package dev.windrow.gather.series;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * One bucket of a series.
 *
 * @param numbers one for each measure and ratio of the dataset, null if it has no value
 */
public record SeriesPoint(Instant start, List<@Nullable BigDecimal> numbers) {
}
