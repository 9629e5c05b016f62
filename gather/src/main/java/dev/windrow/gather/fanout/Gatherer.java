package dev.windrow.gather.fanout;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.AdmissionQueue;
import dev.windrow.base.Reason;
import dev.windrow.base.TimerDelays;
import dev.windrow.dataset.Dataset;
import dev.windrow.gather.plan.Bucket;
import dev.windrow.gather.plan.DatasetScope;
import dev.windrow.gather.read.GatherException;
import dev.windrow.gather.read.ShardReader;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;

/** Runs gathers, a bounded number at a time. */
public final class Gatherer {

    private final ShardReader reader;
    private final FanoutLimits limits;
    private final Clock clock;
    private final AdmissionQueue answers;
    private final AdmissionQueue streams;
    private final OverdueQueries overdue = new OverdueQueries();
    private final ScheduledExecutorService timer;
    private final ScheduledExecutorService deadlines;
    private final PageSizes pageSizes;
    private final BiConsumer<Dataset, GatherReport> ended;
    private final Tracer tracer;
    private final BiFunction<Dataset, Duration, Uni<Void>> check;

    /** Creates a gatherer without tracing that reads any dataset; its queries end at their deadlines in real time. */
    public Gatherer(ShardReader reader, FanoutLimits limits, Clock clock, ScheduledExecutorService timer,
            BiConsumer<Dataset, GatherReport> ended) {
        this(reader, limits, clock, timer, Infrastructure.getDefaultWorkerPool(), ended, OpenTelemetry.noop(),
                (dataset, patience) -> Uni.createFrom().voidItem());
    }

    /**
     * @param reader bounds the reads of all queries by itself
     * @param timer ends waits for shards and for clients that do not read their streams
     * @param deadlines ends queries at their deadlines; its threads must not wait for other work, as deadlines matter most
     *        while all workers are busy
     * @param ended receives the dataset and the report of each answer or stream at its end, unless all of its shards failed
     * @param telemetry receives a span for each gather
     * @param check fails if a dataset must not be read; the duration is how long it may take
     */
    public Gatherer(ShardReader reader, FanoutLimits limits, Clock clock, ScheduledExecutorService timer,
            ScheduledExecutorService deadlines, BiConsumer<Dataset, GatherReport> ended, OpenTelemetry telemetry,
            BiFunction<Dataset, Duration, Uni<Void>> check) {
        this.reader = reader;
        this.limits = limits;
        this.clock = clock;
        this.timer = timer;
        this.deadlines = deadlines;
        this.ended = ended;
        this.tracer = telemetry.getTracer("windrow-gatherer");
        this.check = check;
        this.answers = AdmissionQueue.ofPermits(limits.maxQueries(), limits.maxQueuedQueries(), "queries",
                GatherException::new);
        this.streams = AdmissionQueue.ofPermits(limits.maxStreams(), limits.maxStreams(), "streams", GatherException::new);
        this.pageSizes = new PageSizes(limits.maxItemsPerQuery());
    }

    /** Gathers a list of buckets, up to the wanted number. */
    public Uni<Execution<List<Bucket>>> list(GatherRequest request) {
        return answer(request, buckets -> buckets.collect().asList());
    }

    /** Gathers buckets and returns the result of a function of them. */
    public <T> Uni<Execution<T>> answer(GatherRequest request, Function<Multi<Bucket>, Uni<T>> use) {
        return answer(request, deadline -> begin(request, deadline), GatherSession::report,
                gather -> use.apply(gather.buckets()));
    }

    /**
     * The same for one of several reads of a query, bounded by their common deadline instead of the request's timeout. It may
     * wait for its turn until then; if partial answers are allowed, shards get only its share of the time left at its turn.
     */
    public <T> Uni<Execution<T>> answer(GatherRequest request, Deadline deadline, Function<Multi<Bucket>, Uni<T>> use) {
        return deadline.read(left -> answer(request.within(left),
                end -> begin(request, mayBePartial(request) ? deadline.endOfShare() : end), GatherSession::report,
                gather -> use.apply(gather.buckets())));
    }

    /** Whether the answer may lack shards, which is possible only where a stage has several of them. */
    private static boolean mayBePartial(GatherRequest request) {
        return request.options().partial() && request.plan().stages().stream().anyMatch(stage -> stage.shards().size() > 1);
    }

    /**
     * Answers from the leaderboards in the request's plan.
     *
     * @param readsPerShard maximum number of reads of one shard at a time
     */
    public <T> Uni<Execution<T>> ranked(GatherRequest request, int readsPerShard, Function<RankSession, Uni<T>> use) {
        return answer(request, deadline -> new RankSession(request, bounded(request, readsPerShard), pageSizes,
                new Deadline(clock, deadline, 1), timer), RankSession::report, use);
    }

    private <S, T> Uni<Execution<T>> answer(GatherRequest request, Function<Instant, S> sessionUntil,
            Function<S, GatherReport> reportOf, Function<S, Uni<T>> use) {
        Duration timeout = request.options().timeout();
        return traced(request.scope(), inTime(timeout, () -> overdue.add(clock.instant()), Uni.createFrom().deferred(() -> {
            Instant received = clock.instant();
            Instant deadline = received.plus(timeout);
            return answers.run(() -> {
                Instant begun = clock.instant();
                if (begun.isAfter(deadline)) {
                    return Uni.createFrom().failure(Deadline.late());
                }
                S session = sessionUntil.apply(deadline);
                return checked(request).chain(() -> use.apply(session)).onItem().transform(result -> {
                    GatherReport report = reportOf.apply(session);
                    end(request, report);
                    return new Execution<>(result, List.of(new Execution.Read(request.plan(), report,
                            Duration.between(received, begun), Duration.between(begun, clock.instant()))), List.of(report));
                }).onItemOrFailure().invoke((result, failure) -> overdue.ended());
            });
        })));
    }

    /**
     * Bounds work on an answer, whatever it waits for, such as a free worker: at the end of its timeout and a grace period, it
     * is cancelled and fails with the reason timed-out.
     */
    public <T> Uni<T> inTime(Duration timeout, Uni<T> work) {
        return inTime(timeout, () -> {
        }, work);
    }

    private <T> Uni<T> inTime(Duration timeout, Runnable late, Uni<T> work) {
        return work.ifNoItem().after(timeout.plus(Deadline.GRACE)).on(deadlines).failWith(() -> {
            late.run();
            return new GatherException(Reason.TIMED_OUT, "the query did not end by its deadline");
        });
    }

    /** Traces a gather as a span within that of its request. */
    private <T> Uni<Execution<T>> traced(DatasetScope scope, Uni<Execution<T>> gather) {
        return Uni.createFrom().deferred(() -> {
            Span span = tracer.spanBuilder("gather").setAttribute("windrow.dataset", scope.dataset().name())
                    .setAttribute("windrow.tenant", scope.tenant()).startSpan();
            return gather.onItem().invoke(result -> {
                GatherReport report = result.report();
                span.setAttribute("windrow.shards", report.shards()).setAttribute("windrow.pages", report.pages())
                        .setAttribute("windrow.items", report.items()).setAttribute("windrow.read_units", report.readUnits())
                        .setAttribute("windrow.complete", report.isComplete());
            })
                    .onFailure().invoke(failure -> span.setStatus(StatusCode.ERROR, GatherException.reasonOf(failure).word()))
                    .onTermination().invoke(() -> span.end());
        });
    }

    /**
     * Gathers a stream of any length in constant memory. The request's timeout bounds the wait for its turn and each wait for
     * shards, not the whole stream. A client that does not read has a timeout of its own, and other gathers go on meanwhile.
     *
     * @param use turns the buckets into a stream, and may use the report at its end
     */
    public <T> Multi<T> stream(GatherRequest request, BiFunction<Multi<Bucket>, GatherReport, Multi<T>> use) {
        Multi<T> stream = streams.stream(() -> {
            GatherSession gather = begin(request, request.options()::timeout);
            Multi<Bucket> buckets = gather.buckets().onCompletion().invoke(() -> end(request, gather.report()));
            return checked(request).onItem().transformToMulti(same -> use.apply(buckets, gather.report()));
        }, request.options().timeout(), timer);
        return stream.plug(upstream -> new SlowClientTimeout<>(upstream, limits.slowClientTimeout(), timer));
    }

    /** Runs the check for at most half of the timeout, so that a check that hangs leaves time for the shards. */
    private Uni<Void> checked(GatherRequest request) {
        Duration half = TimerDelays.atLeastShortest(request.options().timeout().dividedBy(2));
        return check.apply(request.scope().dataset(), half);
    }

    public int running() {
        return answers.running();
    }

    public int waiting() {
        return answers.waiting();
    }

    public int streaming() {
        return streams.running();
    }

    /** How long answers have been overdue without any of them ending; zero while they end. */
    public Duration overdueFor() {
        return overdue.span();
    }

    private GatherSession begin(GatherRequest request, Instant deadline) {
        return begin(request, () -> Duration.between(clock.instant(), deadline));
    }

    private GatherSession begin(GatherRequest request, Supplier<Duration> timeLeft) {
        return new GatherSession(request, bounded(request, 1), pageSizes, timeLeft, timer);
    }

    /** Bounds the query's reads in flight. A query with few shards never reaches the bound; no read is ever refused. */
    private ShardReader bounded(GatherRequest request, int readsPerShard) {
        ShardReader own = reader.ofQuery();
        int shards = request.plan().stages().stream().mapToInt(stage -> stage.shards().size()).sum();
        if ((long) shards * readsPerShard <= limits.maxReadsPerQuery()) {
            return own;
        }
        AdmissionQueue permits = AdmissionQueue.ofPermits(limits.maxReadsPerQuery(), Integer.MAX_VALUE, "reads",
                GatherException::new);
        return read -> permits.run(() -> own.read(read));
    }

    private void end(GatherRequest request, GatherReport report) {
        if (report.isFailed()) {
            Reason reason = report.failures().keySet().iterator().next();
            throw new GatherException(reason, "none of " + report.shards() + " shards returned all of its pages");
        }
        ended.accept(request.scope().dataset(), report);
    }

    /**
     * Detects that answers no longer end. Each answer ends by its own deadline, whatever its shards do; one that does not is
     * overdue. If all are overdue for long, this process is at fault.
     */
    static final class OverdueQueries {

        private @Nullable Instant first;
        private @Nullable Instant last;

        /** Notes an answer that neither completed nor failed by its deadline. */
        synchronized void add(Instant now) {
            first = first == null ? now : first;
            last = now;
        }

        /** Notes an answer that completed, or failed for a reason of its own. */
        synchronized void ended() {
            first = null;
            last = null;
        }

        /** The time from the first to the latest overdue answer, if none ended in between; zero if there is only one. */
        synchronized Duration span() {
            return first == null || last == null ? Duration.ZERO : Duration.between(first, last);
        }
    }

}
