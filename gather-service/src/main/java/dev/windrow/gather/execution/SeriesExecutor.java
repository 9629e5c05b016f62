package dev.windrow.gather.execution;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import jakarta.enterprise.context.ApplicationScoped;

import dev.windrow.gather.answer.Series;
import dev.windrow.gather.answer.SeriesGrouping;
import dev.windrow.gather.answer.SeriesTransform;
import dev.windrow.gather.answer.TopGroups;
import dev.windrow.gather.fanout.Deadline;
import dev.windrow.gather.fanout.GatherReport;
import dev.windrow.gather.fanout.GatherRequest;
import dev.windrow.gather.fanout.Gatherer;
import dev.windrow.gather.fanout.HeldMemory;
import dev.windrow.gather.query.QueryPlan;
import dev.windrow.gather.query.Ranking;
import dev.windrow.gather.query.SeriesGroups;
import dev.windrow.gather.query.SeriesQuery;
import dev.windrow.table.Label;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;

/**
 * Executes queries for series: one of all selected labels, or one for each of the largest groups and one for the rest. All
 * reads of a query share its deadline, and those that others follow leave time for them.
 */
@ApplicationScoped
public class SeriesExecutor {

    private final Gatherer gatherer;
    private final Clock clock;
    private final HeldMemory memory;

    SeriesExecutor(Gatherer gatherer, Clock clock, HeldMemory memory) {
        this.gatherer = gatherer;
        this.clock = clock;
        this.memory = memory;
    }

    /** The series, largest first. */
    public Uni<Execution<List<Series>>> execute(SeriesQuery query) {
        return Uni.createFrom().deferred(() -> {
            Deadline deadline = Deadline.after(query.options().timeout(), clock);
            return query.groups().map(groups -> grouped(query, groups, deadline)).orElseGet(() -> all(query, deadline));
        });
    }

    private Uni<Execution<List<Series>>> all(SeriesQuery query, Deadline deadline) {
        QueryPlan plan = query.plan();
        SeriesReads reads = new SeriesReads(gatherer, query, label -> true, deadline, 1);
        return Uni.combine().all().unis(reads.inside(plan), reads.outside()).with((inside, outside) -> {
            Series series = new Series(query.selection().values(), false,
                    new SeriesTransform(query).points(inside.result().folded(), outside.buckets()));
            return new Execution<>(List.of(series), List.of(new Execution.Read(plan, inside)),
                    Stream.concat(Stream.of(inside.report()), outside.reports().stream()).toList());
        });
    }

    /** Twice over the range: first all groups are summed to pick the largest, then those are read bucket by bucket. */
    private Uni<Execution<List<Series>>> grouped(SeriesQuery query, SeriesGroups groups, Deadline deadline) {
        return largest(query, groups, deadline.firstOf(2)).onItem().transformToUni(largest -> {
            List<Label> labels = largest.result().stream().map(TopGroups.Sum::label).toList();
            SeriesQuery each = query.oneOf(labels.size() + (groups.other() ? 1 : 0));
            Deadline insideBy = deadline.firstOf(each.isFilledFromBeyond() ? 2 : 1);
            return inside(each, new SeriesGrouping(each, groups, labels), insideBy).onItem()
                    .transformToUni(inside -> series(each, groups, labels, inside.result().members(), deadline)
                            .onItem().transform(members -> joined(members, inside).after(largest)));
        });
    }

    private Uni<Execution<List<TopGroups.Sum>>> largest(SeriesQuery query, SeriesGroups groups, Deadline deadline) {
        QueryPlan plan = query.sumsPlan();
        TopGroups top = new TopGroups(query.scope().dataset().measures(), groups.grouping(), groups.by(), Ranking.DESC,
                groups.n());
        GatherRequest request = GatherRequest.all(query.scope(), plan, query.options());
        return memory.during(
                held -> gatherer.answer(request, deadline, SumsByGroup.picked(groups.grouping(), held, top::top)))
                .onItem().transform(gathered -> Execution.of(plan, gathered));
    }

    private Uni<Execution<SeriesGrouping>> inside(SeriesQuery query, SeriesGrouping grouping, Deadline deadline) {
        QueryPlan plan = query.plan();
        GatherRequest request = GatherRequest.all(query.scope(), plan, query.options());
        return gatherer.answer(request, deadline, buckets -> buckets.collect().in(() -> grouping, SeriesGrouping::add))
                .onItem().transform(gathered -> Execution.of(plan, gathered));
    }

    /** The series of all groups, one after the other. */
    private Uni<List<Execution<Series>>> series(SeriesQuery query, SeriesGroups groups, List<Label> labels,
            List<SeriesGrouping.Member> members, Deadline deadline) {
        return Multi.createFrom().items(IntStream.range(0, members.size()).boxed()).onItem().transformToUniAndConcatenate(
                index -> series(query, groups, labels, members.get(index), deadline, members.size() - index))
                .collect().asList();
    }

    /** The series of a group that was read within the range. */
    private Uni<Execution<Series>> series(SeriesQuery query, SeriesGroups groups, List<Label> labels,
            SeriesGrouping.Member member, Deadline deadline, int left) {
        int declared = query.scope().dataset().label().size();
        // A whole label is read from the table; the labels of a smaller group only among those that are selected.
        SeriesQuery own = member.group().filter(group -> group.values().size() == declared).map(query::of).orElse(query);
        Predicate<Label> belongs = member.group().<Predicate<Label>> map(group -> label -> group.equals(groups.group(label)))
                .orElse(label -> !labels.contains(groups.group(label)));
        return new SeriesReads(gatherer, own, belongs, deadline, left).outside().onItem().transform(outside -> {
            Series series = new Series(
                    member.group().map(Label::values).orElse(query.selection().values()), member.group().isEmpty(),
                    new SeriesTransform(own).points(member.rollup().folded(), outside.buckets()));
            return new Execution<>(series, List.of(), outside.reports());
        });
    }

    private static Execution<List<Series>> joined(List<Execution<Series>> members, Execution<?> inside) {
        List<Series> series = new ArrayList<>();
        List<GatherReport> reports = new ArrayList<>(inside.reports());
        members.forEach(member -> {
            series.add(member.result());
            reports.addAll(member.reports());
        });
        return new Execution<>(series, inside.reads(), reports);
    }
}
