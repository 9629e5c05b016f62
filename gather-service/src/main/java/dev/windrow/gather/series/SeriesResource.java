package dev.windrow.gather.series;

import java.time.Clock;
import java.time.Instant;
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

import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;

import org.eclipse.microprofile.openapi.annotations.Operation;
import org.jboss.resteasy.reactive.RestMulti;

import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Measure;
import dev.windrow.gather.fanout.Deadline;
import dev.windrow.gather.fanout.Execution;
import dev.windrow.gather.fanout.GatherOrder;
import dev.windrow.gather.fanout.GatherReport;
import dev.windrow.gather.fanout.GatherRequest;
import dev.windrow.gather.fanout.Gatherer;
import dev.windrow.gather.fanout.HeldMemory;
import dev.windrow.gather.parameter.QueryKind;
import dev.windrow.gather.plan.Bucket;
import dev.windrow.gather.plan.MeasureValues;
import dev.windrow.gather.plan.QueryPlan;
import dev.windrow.gather.range.TimeRange;
import dev.windrow.gather.rank.Ranking;
import dev.windrow.gather.render.BucketView;
import dev.windrow.gather.render.LineFormats;
import dev.windrow.gather.render.LineLayout;
import dev.windrow.gather.render.LineRenderer;
import dev.windrow.gather.render.MeasuresView;
import dev.windrow.gather.render.Page;
import dev.windrow.gather.request.ApiRequest;
import dev.windrow.gather.request.RequestParser;
import dev.windrow.gather.top.GroupSum;
import dev.windrow.gather.top.GroupSums;
import dev.windrow.gather.top.TopGroups;
import dev.windrow.table.Label;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;

/** One label, or many together, over time. */
@Path("/api/v1/datasets/{dataset}/series")
@Consumes(MediaType.APPLICATION_JSON)
public class SeriesResource {

    private final RequestParser requests;
    private final Gatherer gatherer;
    private final Clock clock;
    private final HeldMemory memory;
    private final LineRenderer lines;

    public SeriesResource(RequestParser requests, Gatherer gatherer, Clock clock, HeldMemory memory, LineRenderer lines) {
        this.requests = requests;
        this.gatherer = gatherer;
        this.clock = clock;
        this.memory = memory;
        this.lines = lines;
    }

    @GET
    @Produces(MediaType.APPLICATION_JSON)
    @Operation(operationId = "series", summary = "One label, or many together, over time")
    public Uni<Page<BucketView>> series(@PathParam("dataset") String dataset) {
        return page(read(dataset));
    }

    @GET
    @Produces(LineFormats.LINES)
    @Operation(hidden = true)
    public RestMulti<byte[]> streamSeries(@PathParam("dataset") String dataset, @Context HttpHeaders headers) {
        ApiRequest<SeriesQuery> request = read(dataset);
        return lines.render(request.csv(headers), columns(request.query()), layout(request.query()), page(request));
    }

    private ApiRequest<SeriesQuery> read(String dataset) {
        return requests.read(QueryKind.SERIES, dataset, SeriesQuery::of);
    }

    private Uni<Page<BucketView>> page(ApiRequest<SeriesQuery> request) {
        SeriesQuery query = request.query();
        return execute(query).map(execution -> ApiRequest.page(request, execution.map(all -> all.stream()
                .flatMap(series -> series.points().stream().map(point -> view(query, series, point)))
                .toList()), null));
    }

    /**
     * Returns the series, largest first: one of all selected labels, or one for each of the largest groups and one for the
     * rest. All reads of a query share its deadline, and leave time for the reads that follow them.
     */
    public Uni<Execution<List<Series>>> execute(SeriesQuery query) {
        return Uni.createFrom().deferred(() -> {
            Deadline deadline = Deadline.after(query.options().timeout(), clock);
            return query.groups().map(groups -> grouped(query, groups, deadline)).orElseGet(() -> all(query, deadline));
        });
    }

    private Uni<Execution<List<Series>>> all(SeriesQuery query, Deadline deadline) {
        SeriesReads reads = new SeriesReads(gatherer, query, label -> true, deadline, 1);
        return Uni.combine().all().unis(reads.inside(), reads.outside()).with((inside, outside) -> {
            Series series = new Series(query.selection().values(), false,
                    new SeriesTransform(query).points(inside.result().folded, outside.buckets()));
            return new Execution<>(List.of(series), inside.reads(),
                    Stream.concat(Stream.of(inside.report()), outside.reports().stream()).toList());
        });
    }

    /** Reads the range twice: first to sum all groups and pick the largest, then to read those bucket by bucket. */
    private Uni<Execution<List<Series>>> grouped(SeriesQuery query, SeriesGroups groups, Deadline deadline) {
        return largest(query, groups, deadline.firstOf(2)).chain(largest -> {
            List<Label> labels = largest.result().stream().map(GroupSum::label).toList();
            SeriesQuery each = query.oneOf(labels.size() + (groups.other() ? 1 : 0));
            Deadline insideBy = deadline.firstOf(each.beyond().isEmpty() ? 1 : 2);
            return inside(each, groups, labels, insideBy).chain(inside -> series(each, groups, inside.result(), deadline)
                    .map(members -> joined(members, inside).after(largest)));
        });
    }

    private Uni<Execution<List<GroupSum>>> largest(SeriesQuery query, SeriesGroups groups, Deadline deadline) {
        TopGroups top = new TopGroups(query.scope().dataset().measures(), groups.grouping(), groups.by(), Ranking.DESC);
        GatherRequest request = GatherRequest.all(query.scope(), query.sumsPlan(), query.options());
        return memory.during(held -> gatherer.answer(request, deadline,
                GroupSums.picked(groups.grouping(), held, sums -> top.top(sums, Optional.empty(), groups.n()))));
    }

    /** Sums the buckets of the range by group, in the order of the answer; all other groups share the last, empty key. */
    private Uni<Execution<Map<Optional<Label>, SeriesRollup>>> inside(SeriesQuery query, SeriesGroups groups,
            List<Label> labels, Deadline deadline) {
        Map<Optional<Label>, SeriesRollup> rollups = new LinkedHashMap<>();
        labels.forEach(group -> rollups.put(Optional.of(group), new SeriesRollup(query)));
        if (groups.other()) {
            rollups.put(Optional.empty(), new SeriesRollup(query));
        }
        GatherRequest request = GatherRequest.all(query.scope(), query.plan(), query.options());
        return gatherer.answer(request, deadline,
                buckets -> buckets.select().where(bucket -> query.period().holds(bucket.start()))
                        .collect().in(() -> rollups, (all, bucket) -> {
                            SeriesRollup own = all.get(Optional.of(groups.group(bucket.label())));
                            SeriesRollup rollup = own == null ? all.get(Optional.<Label> empty()) : own;
                            if (rollup != null) {
                                rollup.add(bucket);
                            }
                        }));
    }

    private Uni<List<Execution<Series>>> series(SeriesQuery query, SeriesGroups groups,
            Map<Optional<Label>, SeriesRollup> inside, Deadline deadline) {
        List<Map.Entry<Optional<Label>, SeriesRollup>> members = List.copyOf(inside.entrySet());
        return Multi.createFrom().items(IntStream.range(0, members.size()).boxed()).onItem().transformToUniAndConcatenate(
                index -> series(query, groups, inside, members.get(index), deadline, members.size() - index))
                .collect().asList();
    }

    /** Returns the series of a group whose range has been read. */
    private Uni<Execution<Series>> series(SeriesQuery query, SeriesGroups groups, Map<Optional<Label>, SeriesRollup> inside,
            Map.Entry<Optional<Label>, SeriesRollup> member, Deadline deadline, int left) {
        Optional<Label> group = member.getKey();
        // A group that is a whole label is read from the table; the labels of other groups are picked from the selected ones.
        SeriesQuery own = group.filter(label -> groups.grouping().isWhole()).map(query::of).orElse(query);
        Predicate<Label> belongs = label -> {
            Optional<Label> its = Optional.of(groups.group(label));
            return inside.containsKey(its) ? its.equals(group) : group.isEmpty();
        };
        return new SeriesReads(gatherer, own, belongs, deadline, left).outside().map(outside -> {
            Series series = new Series(group.map(Label::values).orElse(query.selection().values()), group.isEmpty(),
                    new SeriesTransform(own).points(member.getValue().folded, outside.buckets()));
            return new Execution<>(series, List.of(), outside.reports());
        });
    }

    private static Execution<List<Series>> joined(List<Execution<Series>> members, Execution<?> inside) {
        return new Execution<>(members.stream().map(Execution::result).toList(), inside.reads(), Stream.concat(
                inside.reports().stream(), members.stream().flatMap(member -> member.reports().stream())).toList());
    }

    private static BucketView view(SeriesQuery query, Series series, SeriesPoint point) {
        Boolean other = query.groups().filter(SeriesGroups::other).map(groups -> series.other()).orElse(null);
        return new BucketView(series.label(), other, query.buckets().granularity().name(),
                BucketView.start(point.start(), query.buckets().zone()), query.isPartial(point.start()) ? true : null,
                MeasuresView.of(query.scope().columns(),
                        point.numbers(), query.fill() != SeriesQuery.Fill.NONE));
    }

    private static LineLayout layout(SeriesQuery query) {
        Dataset dataset = query.scope().named();
        return query.groups().map(groups -> groups.grouping().layout(dataset)).orElseGet(() -> LineLayout.of(dataset));
    }

    private static List<String> columns(SeriesQuery query) {
        List<String> columns = BucketView.columns(query.scope().named());
        if (query.groups().filter(SeriesGroups::other).isPresent()) {
            columns.add(query.scope().named().label().size(), "other");
        }
        return columns;
    }

    /**
     * Reads the buckets of one series: those of its range, and the nearest ones outside that fill its gaps.
     *
     * @param labels which of the selected labels belong to the series
     * @param deadline shared by all reads
     * @param left number of series still to be filled one after the other, including this one
     */
    private record SeriesReads(Gatherer gatherer, SeriesQuery query, Predicate<Label> labels, Deadline deadline, int left) {

        /** Buckets beyond the range, and the reports of their reads. */
        private record Beyond(SortedMap<Instant, MeasureValues> buckets, List<GatherReport> reports) {

            private static final Beyond NOTHING = new Beyond(new TreeMap<>(), List.of());

            static Beyond of(Execution<SeriesRollup> read) {
                return new Beyond(read.result().folded, List.of(read.report()));
            }

            Beyond and(Beyond more) {
                SortedMap<Instant, MeasureValues> all = new TreeMap<>(buckets);
                all.putAll(more.buckets);
                return new Beyond(all, Stream.concat(reports.stream(), more.reports.stream()).toList());
            }
        }

        /** Reads the buckets of the range, or only as many as the limit needs. */
        Uni<Execution<SeriesRollup>> inside() {
            Predicate<Bucket> inside = bucket -> labels.test(bucket.label()) && query.period().holds(bucket.start());
            return query.isCutShort()
                    ? until(query.plan(), order(query.descending()), inside,
                            folding -> folding.folded.size() >= query.limit().orElseThrow(), deadline)
                    : folded(query.plan(), inside, deadline);
        }

        /** Reads the buckets that fill the gaps of the range. */
        Uni<Beyond> outside() {
            List<Uni<Beyond>> sides = query.beyond().stream().map(side -> nearest(side.range(), side.latestFirst())).toList();
            return sides.isEmpty()
                    ? Uni.createFrom().item(Beyond.NOTHING)
                    : Uni.join().all(sides).andFailFast().map(read -> read.stream().reduce(Beyond.NOTHING, Beyond::and));
        }

        private Uni<Execution<SeriesRollup>> folded(QueryPlan plan, Predicate<Bucket> wanted, Deadline by) {
            GatherRequest request = request(plan, GatherOrder.ASCENDING, Long.MAX_VALUE);
            return gatherer.answer(request, by, buckets -> buckets.select().where(wanted)
                    .collect().in(() -> new SeriesRollup(query), SeriesRollup::add));
        }

        /** Whether a stored bucket belongs to the series and lies in a range that it was read for. */
        private Predicate<Bucket> in(TimeRange range) {
            return bucket -> labels.test(bucket.label()) && query.buckets().holds(range, bucket.start());
        }

        /**
         * Reads the buckets nearest to the range in which each measure has a value. Usually one bucket has all measures: so one
         * stored bucket is searched, then the whole bucket that contains it is read, and buckets beyond only if it lacks a
         * measure. Time is shared as if each series took two reads, and a third read takes some of the second one's time.
         */
        private Uni<Beyond> nearest(TimeRange range, boolean latest) {
            if (range.isEmpty()) {
                return Uni.createFrom().item(Beyond.NOTHING);
            }
            GatherRequest request = request(query.plan(range, latest), order(latest),
                    query.groups().isEmpty() && query.buckets().isReadExactly(range) ? 1 : Long.MAX_VALUE);
            return gatherer.answer(request, deadline.firstOf(2 * left), buckets -> buckets.select().where(in(range))
                    .collect().first().map(Optional::ofNullable)).chain(found -> {
                        Beyond looked = new Beyond(new TreeMap<>(), List.of(found.report()));
                        return found.result()
                                .map(bucket -> inBucketAndBeyond(range, bucket, latest).map(looked::and))
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
            // Where two buckets overlap, the one that is nearer to the range may be read second.
            TimeRange near = latest ? new TimeRange(bucket.from(), range.to()) : new TimeRange(range.from(), bucket.to());
            return folded(query.plan(bucket, false), in(near), first).chain(read -> {
                boolean enough = rest.isEmpty() || read.result().knowsAll();
                // Reads away from the range until each measure has a value, but no farther than the maximum length of a series.
                Uni<Beyond> more = enough
                        ? Uni.createFrom().item(Beyond.NOTHING)
                        : until(query.plan(rest, latest), order(latest), in(rest),
                                folding -> folding.knowsAll() || folding.folded.size() >= query.maxPoints(), last)
                                .map(Beyond::of);
                return more.map(Beyond.of(read)::and);
            });
        }

        /** Reads bucket by bucket, up to the end of the bucket with which there are enough. */
        private Uni<Execution<SeriesRollup>> until(QueryPlan plan, GatherOrder order, Predicate<Bucket> wanted,
                Predicate<SeriesRollup> enough, Deadline by) {
            GatherRequest request = request(plan, order, Long.MAX_VALUE);
            return gatherer.answer(request, by, buckets -> Uni.createFrom().deferred(() -> {
                SeriesRollup folding = new SeriesRollup(query);
                return buckets.select().where(wanted).select().first(bucket -> {
                    boolean goesOn = !enough.test(folding) || folding.hasBegun(bucket);
                    if (goesOn) {
                        folding.add(bucket);
                    }
                    return goesOn;
                }).collect().with(Collectors.counting()).map(count -> folding);
            }));
        }

        private static GatherOrder order(boolean latest) {
            return latest ? GatherOrder.DESCENDING : GatherOrder.ASCENDING;
        }

        private GatherRequest request(QueryPlan plan, GatherOrder order, long wanted) {
            return new GatherRequest(query.scope(), plan, order, wanted, query.options());
        }
    }

    /** Sums stored buckets up into the requested buckets. */
    private static final class SeriesRollup {

        private final SeriesQuery query;
        private final SortedMap<Instant, MeasureValues> folded = new TreeMap<>();
        private final Set<Measure> withValue = new HashSet<>();

        SeriesRollup(SeriesQuery query) {
            this.query = query;
        }

        /** @throws dev.windrow.base.InvalidInputException if the series would have too many buckets */
        void add(Bucket stored) {
            folded.merge(query.buckets().floor(stored.start()), stored.values(), MeasureValues::combine);
            if (folded.size() > query.maxPoints()) {
                throw query.tooMany();
            }
            stored.values().forEach((measure, value) -> {
                if (value != null) {
                    withValue.add(measure);
                }
            });
        }

        /** Whether a stored bucket lies in the time of the buckets that have been started, so that more of these may follow. */
        boolean hasBegun(Bucket stored) {
            TimeRange begun = query.buckets().read(new TimeRange(folded.firstKey(), query.inBucketOf(folded.lastKey()).to()));
            return !stored.start().isBefore(begun.from()) && stored.start().isBefore(begun.to());
        }

        /** Whether each measure has a value in some bucket. */
        boolean knowsAll() {
            return withValue.containsAll(query.scope().dataset().measures());
        }
    }

    /**
     * One series.
     *
     * @param label the values that its labels share
     * @param other whether it is the sum of all labels that have no series of their own
     */
    public record Series(List<String> label, boolean other, List<SeriesPoint> points) {
    }

}
