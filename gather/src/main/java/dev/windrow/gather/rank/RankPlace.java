package dev.windrow.gather.rank;

import java.math.BigDecimal;

import dev.windrow.table.Label;

/**
 * A place in a top list.
 *
 * @param label the label, which orders equal numbers
 */
public record RankPlace(BigDecimal number, Label label) {
}
