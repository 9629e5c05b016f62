package dev.windrow.gather.fanout;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

import dev.windrow.gather.plan.QueryPlan;
import dev.windrow.gather.range.TimeRange;

/**
 * A query's result, and how it was gathered.
 *
 * @param reads the gathered plans, each with its report
 * @param reports reports on everything that was read, including reads outside the plans
 */
public record Execution<T>(T result, List<Read> reads, List<GatherReport> reports) {

    /**
     * A plan that was gathered.
     *
     * @param report what happened while it was gathered
     * @param waited how long the answer waited for its turn
     * @param gathered how long reading and merging took
     */
    public record Read(QueryPlan plan, GatherReport report, Duration waited, Duration gathered) {
    }

    /** The report on the plan, or on the first if there are several. */
    public GatherReport report() {
        return reports.get(0);
    }

    public <R> Execution<R> map(Function<T, R> use) {
        return new Execution<>(use.apply(result), reads, reports);
    }

    public Execution<T> after(Execution<?> more) {
        return new Execution<>(result, Stream.concat(more.reads.stream(), reads.stream()).toList(),
                Stream.concat(more.reports.stream(), reports.stream()).toList());
    }

    /** The time up to which everything read contains the claimed events; empty if unknown. */
    public Optional<Instant> asOf() {
        return reports.stream().allMatch(report -> report.asOf().isPresent())
                ? reports.stream().flatMap(report -> report.asOf().stream()).reduce(TimeRange::earlier)
                : Optional.empty();
    }

    /** Whether buckets that were read may lack claimed events, or this is unknown. */
    public boolean isLagging() {
        return reports.stream().anyMatch(GatherReport::isLagging);
    }

    /** Warnings about data that the result lacks or may lack, without duplicates. */
    public List<Warning> warnings() {
        return reports.stream().flatMap(report -> report.warnings().stream()).distinct().toList();
    }

    public boolean isComplete() {
        return reports.stream().allMatch(GatherReport::isComplete);
    }
}
