package dev.windrow.gather.series;

import java.math.BigDecimal;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import jakarta.enterprise.context.ApplicationScoped;

import org.jspecify.annotations.Nullable;

import dev.windrow.dataset.Measure;
import dev.windrow.gather.plan.Bucket;
import dev.windrow.gather.plan.MeasureValues;
import dev.windrow.gather.plan.QueryPlan;
import dev.windrow.gather.plan.RankPlan.Ranking;
import dev.windrow.gather.plan.TimeRange;
import dev.windrow.gather.plan.ZonedBuckets;
import dev.windrow.gather.read.Deadline;
import dev.windrow.gather.read.Execution;
import dev.windrow.gather.read.GatherReport;
import dev.windrow.gather.read.Gatherer;
import dev.windrow.gather.read.Gatherer.GatherRequest;
import dev.windrow.gather.read.Gatherer.GatherRequest.Order;
import dev.windrow.gather.read.HeldMemory;
import dev.windrow.gather.series.SeriesQuery.SeriesGroups;
import dev.windrow.gather.top.TopResource.GroupSums;
import dev.windrow.gather.top.TopResource.TopGroups;
import dev.windrow.table.Label;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;

/**
 * Executes queries for series: one of all selected labels, or one for each of the largest groups and one for the rest. All
 * reads of a query share its deadline, and those that others follow leave time for them.
 */
@ApplicationScoped
public class SeriesAnswer {

    private final Gatherer gatherer;
    private final Clock clock;
    private final HeldMemory memory;

    public SeriesAnswer(Gatherer gatherer, Clock clock, HeldMemory memory) {
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
            return new Execution<>(List.of(series), inside.reads(),
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
                held -> gatherer.answer(request, deadline, GroupSums.picked(groups.grouping(), held, top::top)));
    }

    private Uni<Execution<SeriesGrouping>> inside(SeriesQuery query, SeriesGrouping grouping, Deadline deadline) {
        QueryPlan plan = query.plan();
        GatherRequest request = GatherRequest.all(query.scope(), plan, query.options());
        return gatherer.answer(request, deadline, buckets -> buckets.collect().in(() -> grouping, SeriesGrouping::add));
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

    /** Reads the buckets of one series: those of its range, and the nearest ones outside that it is filled from. */
    static final class SeriesReads {

        private final Gatherer gatherer;
        private final SeriesQuery query;
        private final Predicate<Label> labels;
        private final Deadline deadline;
        private final int left;

        /**
         * @param labels which of the selected labels belong to the series
         * @param deadline of all reads together
         * @param left how many series are still to be filled one after the other, this one included
         */
        SeriesReads(Gatherer gatherer, SeriesQuery query, Predicate<Label> labels, Deadline deadline, int left) {
            this.gatherer = gatherer;
            this.query = query;
            this.labels = labels;
            this.deadline = deadline;
            this.left = left;
        }

        /** Buckets beyond the range, and how they were read. */
        record Beyond(SortedMap<Instant, MeasureValues> buckets, List<GatherReport> reports) {

            private static final Beyond NOTHING = new Beyond(new TreeMap<>(), List.of());

            static Beyond of(Execution<SeriesRollup> read) {
                return new Beyond(read.result().folded(), List.of(read.report()));
            }

            Beyond and(Beyond more) {
                SortedMap<Instant, MeasureValues> all = new TreeMap<>(buckets);
                all.putAll(more.buckets);
                return new Beyond(all, Stream.concat(reports.stream(), more.reports.stream()).toList());
            }
        }

        /** The buckets of the range, or as many of them as are enough. */
        Uni<Execution<SeriesRollup>> inside(QueryPlan plan) {
            return query.isCutShort()
                    ? until(plan, order(query.descending()), folding -> folding.size() >= query.limit().orElseThrow(), deadline)
                    : folded(plan, deadline);
        }

        /** What the range is filled from. */
        Uni<Beyond> outside() {
            Uni<Beyond> before = switch (query.fill()) {
                case NONE, ZERO -> Uni.createFrom().item(Beyond.NOTHING);
                case PREVIOUS, LINEAR -> nearest(query.before(), true);
            };
            Uni<Beyond> after = switch (query.fill()) {
                case NONE, ZERO, PREVIOUS -> Uni.createFrom().item(Beyond.NOTHING);
                case LINEAR -> nearest(query.after(), false);
            };
            return Uni.combine().all().unis(before, after).with(Beyond::and);
        }

        private Uni<Execution<SeriesRollup>> folded(QueryPlan plan, Deadline by) {
            GatherRequest request = request(plan, Order.ASCENDING, Long.MAX_VALUE);
            return gatherer.answer(request, by, buckets -> buckets.select().where(this::belongs)
                    .collect().in(() -> new SeriesRollup(query.buckets()), (folding, bucket) -> {
                        folding.add(bucket);
                        if (folding.size() > query.maxPoints()) {
                            throw query.tooMany();
                        }
                    }));
        }

        private boolean belongs(Bucket bucket) {
            return labels.test(bucket.label());
        }

        /**
         * The buckets nearest to the range in which each measure has a value. Usually one bucket has all of them: one stored
         * bucket is searched, then the whole bucket that holds it is read, and those beyond only if it lacks a measure. So
         * time is shared as if each series took two reads, and a third read takes some of the time of the second.
         */
        private Uni<Beyond> nearest(TimeRange range, boolean latest) {
            if (range.isEmpty()) {
                return Uni.createFrom().item(Beyond.NOTHING);
            }
            GatherRequest request = request(query.plan(range, latest), order(latest),
                    query.groups().isEmpty() ? 1 : Long.MAX_VALUE);
            return gatherer.answer(request, deadline.firstOf(2 * left), buckets -> buckets.select().where(this::belongs)
                    .collect().first().onItem().transform(Optional::ofNullable)).onItem().transformToUni(found -> {
                        Beyond looked = new Beyond(new TreeMap<>(), List.of(found.report()));
                        return found.result()
                                .map(bucket -> inBucketAndBeyond(range, bucket, latest).onItem().transform(looked::and))
                                .orElseGet(() -> Uni.createFrom().item(looked));
                    });
        }

        private Uni<Beyond> inBucketAndBeyond(TimeRange range, Bucket nearest, boolean latest) {
            TimeRange bucket = query.inBucketOf(nearest.start());
            TimeRange rest = latest
                    ? new TimeRange(range.from(), TimeRange.later(range.from(), bucket.from()))
                    : new TimeRange(TimeRange.earlier(bucket.to(), range.to()), range.to());
            Deadline last = deadline.firstOf(2 * left - 1);
            Deadline first = rest.isEmpty() ? last : deadline.firstOf(2 * left);
            return folded(query.plan(bucket, false), first).onItem().transformToUni(read -> {
                boolean enough = rest.isEmpty() || read.result().knowsAll(query.scope().dataset().measures());
                Uni<Beyond> more = enough
                        ? Uni.createFrom().item(Beyond.NOTHING)
                        : untilAllKnown(rest, latest, last).onItem().transform(Beyond::of);
                return more.onItem().transform(Beyond.of(read)::and);
            });
        }

        /** Bucket by bucket away from the range, until each measure has a value; no farther than a series may be long. */
        private Uni<Execution<SeriesRollup>> untilAllKnown(TimeRange range, boolean latest, Deadline by) {
            return until(query.plan(range, latest), order(latest),
                    folding -> folding.knowsAll(query.scope().dataset().measures()) || folding.size() >= query.maxPoints(),
                    by);
        }

        /** Bucket by bucket, and no farther than to the end of the bucket with which there are enough. */
        private Uni<Execution<SeriesRollup>> until(QueryPlan plan, Order order, Predicate<SeriesRollup> enough,
                Deadline by) {
            GatherRequest request = request(plan, order, Long.MAX_VALUE);
            return gatherer.answer(request, by, buckets -> Uni.createFrom().deferred(() -> {
                SeriesRollup folding = new SeriesRollup(query.buckets());
                return buckets.select().where(this::belongs).select().first(bucket -> {
                    boolean goesOn = !enough.test(folding) || folding.hasBegun(bucket);
                    if (goesOn) {
                        folding.add(bucket);
                    }
                    return goesOn;
                }).collect().with(Collectors.counting()).onItem().transform(count -> folding);
            }));
        }

        private static Order order(boolean latest) {
            return latest ? Order.DESCENDING : Order.ASCENDING;
        }

        private GatherRequest request(QueryPlan plan, Order order, long wanted) {
            return new GatherRequest(query.scope(), plan, order, wanted, query.options());
        }
    }

    /** Sums buckets into the series of their groups, and those of all other groups into one. */
    public static final class SeriesGrouping {

        private final SeriesQuery query;
        private final SeriesGroups groups;
        private final Map<Label, SeriesRollup> own = new LinkedHashMap<>();
        private final SeriesRollup rest;

        /** @param own the groups with series of their own, in the order of the answer */
        public SeriesGrouping(SeriesQuery query, SeriesGroups groups, List<Label> own) {
            this.query = query;
            this.groups = groups;
            this.rest = new SeriesRollup(query.buckets());
            own.forEach(group -> this.own.put(group, new SeriesRollup(query.buckets())));
        }

        /**
         * A series of the answer.
         *
         * @param group its group; empty for all others
         * @param rollup its buckets
         */
        public record Member(Optional<Label> group, SeriesRollup rollup) {
        }

        /**
         * Adds a stored bucket.
         *
         * @throws dev.windrow.base.InvalidInputException if a series would have too many buckets
         */
        public void add(Bucket bucket) {
            SeriesRollup rollup = own.get(groups.group(bucket.label()));
            if (rollup == null && !groups.other()) {
                return;
            }
            SeriesRollup into = rollup == null ? rest : rollup;
            into.add(bucket);
            if (into.size() > query.maxPoints()) {
                throw query.tooMany();
            }
        }

        /** The series, that of the others last. */
        public List<Member> members() {
            List<Member> members = new ArrayList<>();
            own.forEach((group, rollup) -> members.add(new Member(Optional.of(group), rollup)));
            if (groups.other()) {
                members.add(new Member(Optional.empty(), rest));
            }
            return members;
        }
    }

    /** Sums stored buckets up to the requested buckets. */
    public static final class SeriesRollup {

        private final ZonedBuckets buckets;
        private final SortedMap<Instant, MeasureValues> folded = new TreeMap<>();
        private final Set<Measure> withValue = new HashSet<>();

        public SeriesRollup(ZonedBuckets buckets) {
            this.buckets = buckets;
        }

        /** Adds a stored bucket. */
        public void add(Bucket stored) {
            folded.merge(buckets.floor(stored.start()), stored.values(), MeasureValues::combine);
            stored.values().forEach((measure, value) -> {
                if (value != null) {
                    withValue.add(measure);
                }
            });
        }

        /** Whether a stored bucket belongs to a bucket that has been started. */
        public boolean hasBegun(Bucket stored) {
            return folded.containsKey(buckets.floor(stored.start()));
        }

        /** Whether each of these has a value in some bucket. */
        public boolean knowsAll(List<Measure> measures) {
            return withValue.containsAll(measures);
        }

        /** How many buckets have data. */
        public int size() {
            return folded.size();
        }

        /** The values of buckets with data, by start. */
        public SortedMap<Instant, MeasureValues> folded() {
            return folded;
        }
    }

    /**
     * One series.
     *
     * @param label the values that its labels share
     * @param other whether it sums all labels that have no series of their own
     * @param points its buckets
     */
    public record Series(List<String> label, boolean other, List<SeriesPoint> points) {
    }

    /**
     * One bucket of a series.
     *
     * @param start its start
     * @param numbers one for each measure of the dataset, null where it has no value
     */
    public record SeriesPoint(Instant start, List<@Nullable BigDecimal> numbers) {
    }
}
