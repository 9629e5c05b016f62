package dev.windrow.bench.page;

import java.util.List;

/**
 * The result of one experiment.
 *
 * @param columns the first one names what was measured; the second one may be {@code load}
 * @param targets targets that the numbers must meet
 */
public record Found(List<String> columns, List<List<Object>> rows, List<Target> targets) {
}
