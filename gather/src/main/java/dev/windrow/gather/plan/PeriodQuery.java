package dev.windrow.gather.plan;

import dev.windrow.gather.range.SumRange;
import dev.windrow.gather.range.TimeRange;

/** A query about one range whose bounds may be dates. */
public interface PeriodQuery extends RangeQuery {

    SumRange period();

    @Override
    default TimeRange range() {
        return period().range();
    }

    @Override
    default TimeRange latestRange() {
        return period().whole();
    }
}
