package dev.windrow.gather.execution;

import java.util.List;
import java.util.function.Function;

import dev.windrow.gather.fanout.GatherReport;
import dev.windrow.gather.fanout.GatherResult;
import dev.windrow.gather.query.QueryPlan;

/**
 * A query's result, and how it came about.
 *
 * @param result the result
 * @param plan the reads
 * @param gathered how the plan was gathered
 * @param reports how all was read, also what the plan does not tell
 */
public record Execution<T>(T result, QueryPlan plan, GatherResult<?> gathered, List<GatherReport> reports) {

    static <T> Execution<T> of(QueryPlan plan, GatherResult<T> gathered) {
        return new Execution<>(gathered.result(), plan, gathered, List.of(gathered.report()));
    }

    /** The same with another result. */
    public <R> Execution<R> map(Function<T, R> use) {
        return new Execution<>(use.apply(result), plan, gathered, reports);
    }

    /** Whether nothing is missing. */
    public boolean isComplete() {
        return reports.stream().allMatch(GatherReport::isComplete);
    }
}
