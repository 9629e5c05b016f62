package dev.windrow.gather.top;

import java.util.Optional;

import dev.windrow.gather.plan.MeasureValues;
import dev.windrow.table.Label;

/**
 * A group with its sums.
 *
 * @param label the values that its labels share
 * @param values its measures over the range
 * @param against the same over the range it is compared with; empty if there is none
 */
public record GroupSum(Label label, MeasureValues values, Optional<MeasureValues> against) {
}
