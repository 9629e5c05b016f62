package dev.windrow.gather.fanout;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;

import dev.windrow.base.Bulkhead;
import dev.windrow.base.Reason;
import dev.windrow.base.SharedTimer.TimerDelays;
import dev.windrow.dataset.Dataset;
import dev.windrow.gather.merge.Bucket;
import dev.windrow.gather.query.PageSizes;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;

/** Starts gathers, as many at a time as the server takes on. */
public final class Gatherer {

    private final ShardReader reader;
    private final FanoutLimits limits;
    private final Clock clock;
    private final Bulkhead answers;
    private final Bulkhead streams;
    private final OverdueQueries overdue = new OverdueQueries();
    private final ScheduledExecutorService timer;
    private final PageSizes pageSizes;
    private final BiConsumer<Dataset, GatherReport> ended;
    private final GatherTracing tracing;
    private final BiFunction<Dataset, Duration, Uni<Void>> check;

    /** One without tracing that reads any dataset. */
    public Gatherer(ShardReader reader, FanoutLimits limits, Clock clock, ScheduledExecutorService timer,
            BiConsumer<Dataset, GatherReport> ended) {
        this(reader, limits, clock, timer, ended, GatherTracing.off(), (dataset, patience) -> Uni.createFrom().voidItem());
    }

    /**
     * @param reader bounded in all by its own means
     * @param timer ends waits for shards, and for readers of streams who do not read
     * @param ended is given the dataset and the report of each answer or stream at its end, unless all of its shards failed
     * @param tracing makes spans of gathers
     * @param check fails if a dataset must not be read; may take that long
     */
    public Gatherer(ShardReader reader, FanoutLimits limits, Clock clock, ScheduledExecutorService timer,
            BiConsumer<Dataset, GatherReport> ended, GatherTracing tracing, BiFunction<Dataset, Duration, Uni<Void>> check) {
        this.reader = reader;
        this.limits = limits;
        this.clock = clock;
        this.timer = timer;
        this.ended = ended;
        this.tracing = tracing;
        this.check = check;
        this.answers = new Bulkhead(limits.maxQueries(), limits.maxQueuedQueries(), "queries", GatherException::new);
        this.streams = new Bulkhead(limits.maxStreams(), limits.maxStreams(), "streams", GatherException::new);
        this.pageSizes = new PageSizes(limits.maxItemsPerQuery());
    }

    /** Gathers a list: the first so many buckets as are wanted, or all. */
    public Uni<GatherResult<List<Bucket>>> list(GatherRequest request) {
        return answer(request, buckets -> buckets.collect().asList());
    }

    /** Gathers what a function makes of the buckets. */
    public <T> Uni<GatherResult<T>> answer(GatherRequest request, Function<Multi<Bucket>, Uni<T>> use) {
        return answer(request, deadline -> begin(request, deadline), GatherSession::report,
                gather -> use.apply(gather.buckets()));
    }

    /**
     * The same as one of several reads of a query, by the deadline of all instead of the request's timeout. Its turn may come
     * until then; where partial answers are allowed, shards have only its share of the time that is left at its turn.
     */
    public <T> Uni<GatherResult<T>> answer(GatherRequest request, Deadline deadline, Function<Multi<Bucket>, Uni<T>> use) {
        return deadline.read(left -> answer(request.within(left),
                end -> begin(request, mayBePartial(request) ? deadline.endOfShare() : end), GatherSession::report,
                gather -> use.apply(gather.buckets())));
    }

    /** Without one shard of several there is a part of an answer, without a single one there is none. */
    private static boolean mayBePartial(GatherRequest request) {
        return request.options().partial() && request.plan().stages().stream().anyMatch(stage -> stage.shards().size() > 1);
    }

    /**
     * Answers from leaderboards; the request's plan says which.
     *
     * @param readsPerShard maximum reads of one shard at a time
     */
    public <T> Uni<GatherResult<T>> ranked(GatherRequest request, int readsPerShard, Function<RankSession, Uni<T>> use) {
        return answer(request,
                deadline -> new RankSession(request, bounded(request, readsPerShard), pageSizes, clock, deadline),
                RankSession::report, use);
    }

    private <S, T> Uni<GatherResult<T>> answer(GatherRequest request, Function<Instant, S> sessionUntil,
            Function<S, GatherReport> reportOf, Function<S, Uni<T>> use) {
        return tracing.around(request.scope(), Uni.createFrom().deferred(() -> {
            Instant received = clock.instant();
            Instant deadline = received.plus(request.options().timeout());
            return answers.runAndDeliver(() -> {
                Instant begun = clock.instant();
                S session = sessionUntil.apply(deadline);
                return checked(request).chain(() -> use.apply(session)).onItem().transform(result -> {
                    GatherReport report = reportOf.apply(session);
                    end(request, report);
                    return new GatherResult<>(result, report, Duration.between(received, begun),
                            Duration.between(begun, clock.instant()));
                }).onItemOrFailure().invoke((result, failure) -> overdue.ended());
            }).ifNoItem().after(request.options().timeout().plus(Deadline.GRACE)).failWith(() -> {
                overdue.add(clock.instant());
                return new GatherException(Reason.TIMED_OUT, "the query was not admitted before its deadline");
            });
        }));
    }

    /**
     * Gathers a stream of any length in constant memory. The request's timeout bounds the wait for its turn and each wait for
     * shards, not the whole; a reader who does not read has a time of its own, and others are gathered meanwhile.
     *
     * @param use makes a stream of the buckets, and may look at the report at its end
     */
    public <T> Multi<T> stream(GatherRequest request, BiFunction<Multi<Bucket>, GatherReport, Multi<T>> use) {
        Multi<T> stream = streams.stream(() -> {
            GatherSession gather = begin(request, clock.instant().plus(request.options().timeout()));
            Multi<Bucket> buckets = gather.buckets().onCompletion().invoke(() -> end(request, gather.report()));
            return checked(request).onItem().transformToMulti(same -> use.apply(buckets, gather.report()));
        }, request.options().timeout());
        return stream.plug(upstream -> new SlowClientTimeout<>(upstream, limits.slowClientTimeout(), timer));
    }

    /** For half of the time at most, so that a check that hangs leaves time for the shards. */
    private Uni<Void> checked(GatherRequest request) {
        Duration half = TimerDelays.atLeastShortest(request.options().timeout().dividedBy(2));
        return check.apply(request.scope().dataset(), half);
    }

    /** The answers being gathered now. */
    public int running() {
        return answers.running();
    }

    /** The answers that wait for their turn. */
    public int waiting() {
        return answers.waiting();
    }

    /** The streams being gathered now. */
    public int streaming() {
        return streams.running();
    }

    /** How long answers have been overdue without any that ended; zero while they end. */
    public Duration overdueFor() {
        return overdue.span();
    }

    private GatherSession begin(GatherRequest request, Instant deadline) {
        return new GatherSession(request, bounded(request, 1), pageSizes, clock, deadline, timer);
    }

    /** Only so many reads of each shard are in flight, so where shards are few, none waits; and none is ever refused. */
    private ShardReader bounded(GatherRequest request, int readsPerShard) {
        ShardReader own = reader.ofQuery();
        int shards = request.plan().stages().stream().mapToInt(stage -> stage.shards().size()).sum();
        if ((long) shards * readsPerShard <= limits.maxReadsPerQuery()) {
            return own;
        }
        Bulkhead permits = new Bulkhead(limits.maxReadsPerQuery(), Integer.MAX_VALUE, "reads", GatherException::new);
        return read -> permits.run(() -> own.read(read));
    }

    private void end(GatherRequest request, GatherReport report) {
        if (report.isFailed()) {
            Reason reason = report.failures().keySet().iterator().next();
            throw new GatherException(reason, "none of " + report.shards() + " shards returned all of its pages");
        }
        ended.accept(request.scope().dataset(), report);
    }
}
