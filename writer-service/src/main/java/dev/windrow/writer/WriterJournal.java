package dev.windrow.writer;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.LogKey;
import dev.windrow.base.Reason;
import dev.windrow.base.Reason.Of;
import dev.windrow.base.StructuredLogger;
import dev.windrow.dataset.Datasets;
import dev.windrow.table.TableSchema;
import dev.windrow.writer.WriterJournal.JournalMetrics;
import dev.windrow.writer.decode.Decompression;
import dev.windrow.writer.decode.EventDecoder.MemoryBudget;
import dev.windrow.writer.decode.Message;
import dev.windrow.writer.decode.Message.MessageBody;
import dev.windrow.writer.decode.Message.SourceQueue;
import dev.windrow.writer.journal.ClaimUnit;
import dev.windrow.writer.journal.JournalWriter.JournalStatus;
import dev.windrow.writer.journal.MessageFlow.JournalMessage;
import dev.windrow.writer.journal.ParkedLetter;
import dev.windrow.writer.journal.Request;
import dev.windrow.writer.journal.Request.Answer;
import dev.windrow.writer.journal.Request.TableRequest;
import dev.windrow.writer.queue.DeadLetters;
import dev.windrow.writer.queue.DeadLetters.DeadLetter;
import dev.windrow.writer.queue.InFlightMessages;
import dev.windrow.writer.queue.InFlightMessages.MessageFailure;
import dev.windrow.writer.queue.InFlightMessages.PendingMessage;
import dev.windrow.writer.queue.MessageCompletion;
import dev.windrow.writer.queue.QueueMetrics;
import dev.windrow.writer.queue.QueueMetrics.ReasonCounters;
import dev.windrow.writer.table.JournalRun;
import dev.windrow.writer.table.JournalRun.JournalRequests;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.smallrye.mutiny.Uni;

/** Hands messages to the journal, which claims each once with all its additions and applies them. Thread-safe. */
public final class WriterJournal {

    /** Longer than finding another lane takes if one is free. */
    private static final long LANELESS_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final JournalRun journal;
    private final Datasets datasets;
    private final JournalQueues queues;
    private final InFlightMessages messages;
    private final MessageCompletion completion;
    private final LongSupplier nanoTime;
    private volatile long heldAtNanos;

    WriterJournal(JournalRun journal, Datasets datasets, JournalQueues queues, InFlightMessages messages,
            MessageCompletion completion,
            LongSupplier nanoTime) {
        this.journal = journal;
        this.datasets = datasets;
        this.queues = queues;
        this.messages = messages;
        this.completion = completion;
        this.nanoTime = nanoTime;
        this.heldAtNanos = nanoTime.getAsLong();
    }

    /** Sets the queues, before the first message. */
    void start(List<SourceQueue> found) {
        queues.start(found);
    }

    /** Adds a message with its claim units, at least one. */
    void add(PendingMessage pending, List<ClaimUnit> units) {
        journal.receive(new Received(pending, units));
    }

    /** Adds a replayed dead letter that holds additions instead of events. */
    void addParked(PendingMessage pending, MemoryBudget allowance) {
        Message message = pending.message();
        try {
            MessageBody text = Decompression.text(message.body(), message.attributes(), allowance);
            ClaimUnit unit = ParkedLetter.read(message, text, datasets);
            if (messages.hold(pending, 0, text.length(), allowance)) {
                add(pending, List.of(unit));
            }
        } catch (InvalidInputException e) {
            completion.rejected(pending, e.reason(), String.valueOf(e.getMessage()));
        } catch (IOException e) {
            completion.rejected(pending, Reason.INVALID_ENVELOPE, "body: " + e.getMessage());
        }
    }

    /** Whether this writer holds a lane, without which it claims nothing. */
    boolean hasLane() {
        return !journal.isBroken() && journal.status().lane() >= 0;
    }

    /**
     * Whether pending messages can be claimed now or soon: the writer holds a lane, or did within the last minute. Otherwise
     * other writers should get them.
     */
    boolean keepsMessages() {
        if (journal.isBroken()) {
            return false;
        }
        long now = nanoTime.getAsLong();
        if (hasLane()) {
            heldAtNanos = now;
        }
        return now - heldAtNanos < LANELESS_NANOS;
    }

    /** A message from its receipt to its end; it holds its units only until they are claimed. */
    final class Received implements JournalMessage {

        private final PendingMessage pending;
        private volatile List<ClaimUnit> units;

        Received(PendingMessage pending, List<ClaimUnit> units) {
            this.pending = pending;
            this.units = List.copyOf(units);
        }

        @Override
        public List<ClaimUnit> units() {
            return units;
        }

        @Override
        public Map<String, String> attributes() {
            return pending.message().attributes();
        }

        @Override
        public void claimed() {
            units = List.of();
            messages.claimed(pending);
        }

        @Override
        public void refused(String detail) {
            pending.fail(new MessageFailure(Reason.REFUSED, detail));
        }

        @Override
        public void delete() {
            if (pending.isAbandoned()) {
                return;
            }
            MessageFailure failure = pending.failure();
            if (failure == null) {
                completion.counted(pending);
            } else {
                completion.failed(pending, failure);
            }
        }
    }

    /** Sends parked additions to the dead-letter queue and logs the journal's reports. Thread-safe. */
    static final class JournalQueues implements Request.Queues, Request.Reports {

        private static final StructuredLogger LOG = StructuredLogger.of(JournalQueues.class);
        private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
        private static final Duration MAX_PAUSE = Duration.ofSeconds(10);

        private final DeadLetters deadLetters;
        private final JournalMetrics metrics;
        private final Clock clock;
        private volatile List<SourceQueue> queues = List.of();

        /** @param clock gives the time at which parked additions became a dead letter */
        JournalQueues(DeadLetters deadLetters, JournalMetrics metrics, Clock clock) {
            this.deadLetters = deadLetters;
            this.metrics = metrics;
            this.clock = clock;
        }

        void start(List<SourceQueue> found) {
            queues = found;
        }

        @Override
        public CompletionStage<Answer.Done> send(Request.SendParked parked) {
            DeadLetter letter = DeadLetter.whole(ParkedLetter.write(parked, queues.get(0), clock.instant()), parked.reason(),
                    parked.detail());
            metrics.parked(parked.reason());
            return Uni.createFrom().deferred(() -> deadLetters.send(List.of(letter), sent -> {
            })).onItem().invoke(failed -> {
                if (failed.isPresent()) {
                    throw new IllegalStateException("the dead-letter queue does not accept parked additions");
                }
            })
                    .onFailure().retry().withBackOff(FIRST_PAUSE, MAX_PAUSE).indefinitely()
                    .replaceWith(Answer.DONE).subscribeAsCompletionStage();
        }

        @Override
        public void unreadable(Request.ReportUnreadableClaims claims) {
            metrics.unreadable();
            LOG.error("what remembers the claims of a minute cannot be read; its messages wait, and others go on",
                    LogKey.REASON.of(Reason.JOURNAL_UNREADABLE.word()),
                    LogKey.DETAIL.of(claims.minute().kind().name().toLowerCase(Locale.ROOT) + " ids of "
                            + Instant.EPOCH.plus(Duration.ofMinutes(claims.minute().minute())) + ": " + claims.detail()));
        }

        @Override
        public void unreadable(Request.ReportUnreadable unreadable) {
            metrics.unreadable();
            LOG.error("lane cannot be recovered by this writer; its additions are missing from the table",
                    LogKey.REASON.of(Reason.JOURNAL_UNREADABLE.word()), LogKey.DETAIL.of("lane " + unreadable.lane()
                            + ", record " + unreadable.position() + ": " + unreadable.detail()));
        }

        @Override
        public void deferred(Request.ReportDeferred deferred) {
            LOG.warn("buckets take no update for a minute; their additions wait in the journal, and others go on",
                    LogKey.DETAIL
                            .of("lane " + deferred.lane() + ", " + deferred.cells() + " buckets and extremes, among them pk '"
                                    + deferred.item().partitionKey() + "', sk '" + deferred.item().sortKey() + "'"));
        }

        @Override
        public void lane(Request.ReportLane lane) {
            switch (lane.event()) {
                case HELD -> LOG.info("claiming on a lane of the journal", LogKey.DETAIL.of("lane " + lane.lane()));
                case RECOVERING -> LOG.info("recovering a lane that another writer left",
                        LogKey.DETAIL.of("lane " + lane.lane()));
                case LOST ->
                    LOG.warn("lane lost, as it was not renewed for a lease or its item was changed; looking for another,"
                            + " and receiving nothing meanwhile", LogKey.DETAIL.of("lane " + lane.lane()));
                case NONE_FREE -> LOG.warn("no lane is free; receiving nothing until a writer on this table ends",
                        LogKey.DETAIL.of("all " + TableSchema.MAX_LANES + " lanes are held by other writers"));
            }
        }
    }

    /**
     * Records one span per claim, linked to the traces of its messages. The span has no parent, as a claim serves many
     * producers. The trace context comes from the message attributes {@code traceparent} and {@code tracestate}.
     */
    record ClaimTracing(@Nullable Tracer tracer) {

        /** Further links are dropped, as the SDK would do (OpenTelemetry specification, span limits). */
        private static final int MAX_LINKS = 128;

        private static final TextMapGetter<Map<String, String>> ATTRIBUTES = new TextMapGetter<>() {

            @Override
            public Iterable<String> keys(Map<String, String> attributes) {
                return attributes.keySet();
            }

            @Override
            public @Nullable String get(@Nullable Map<String, String> attributes, String key) {
                return attributes == null ? null : attributes.get(key);
            }
        };

        /** Disables tracing, at no cost. */
        public static ClaimTracing off() {
            return new ClaimTracing(null);
        }

        public static ClaimTracing with(OpenTelemetry telemetry) {
            return new ClaimTracing(telemetry.getTracer("dev.windrow.writer"));
        }

        /** Wraps the table's requests so that claims are traced. */
        public JournalRequests around(JournalRequests table) {
            Tracer to = tracer;
            return to == null ? table : new JournalRequests() {

                @Override
                public <A extends Answer> Uni<A> send(TableRequest<A> request) {
                    Uni<A> sent = table.send(request);
                    return request instanceof Request.ClaimMessages claim ? traced(claim, sent, to) : sent;
                }
            };
        }

        private static <A extends Answer> Uni<A> traced(Request.ClaimMessages claim, Uni<A> sent, Tracer tracer) {
            return Uni.createFrom().deferred(() -> {
                Span span = start(claim, tracer);
                return sent.invoke(answer -> end(span, answer)).onFailure().invoke(failure -> {
                    span.setStatus(StatusCode.ERROR, Reason.INTERNAL.word());
                    span.end();
                });
            });
        }

        private static Span start(Request.ClaimMessages claim, Tracer tracer) {
            SpanBuilder builder = tracer.spanBuilder("claim").setNoParent().setSpanKind(SpanKind.CONSUMER)
                    .setAttribute("windrow.lane", claim.update().lane())
                    .setAttribute("windrow.position", claim.position())
                    .setAttribute("windrow.messages", claim.messages().size());
            Set<SpanContext> linked = new HashSet<>();
            for (JournalMessage message : claim.messages()) {
                SpanContext context = context(message.attributes());
                if (context.isValid() && linked.size() < MAX_LINKS && linked.add(context)) {
                    builder.addLink(context);
                }
            }
            return builder.startSpan();
        }

        /** A claim that finds some messages claimed before is no error: another claim takes the rest. */
        private static void end(Span span, Answer answer) {
            if (answer instanceof Answer.Refused refused) {
                span.setStatus(StatusCode.ERROR, refused.reason().word());
            }
            span.setAttribute("windrow.claimed", answer instanceof Answer.Done);
            span.end();
        }

        private static SpanContext context(Map<String, String> attributes) {
            return attributes.isEmpty() ? SpanContext.getInvalid()
                    : Span.fromContext(W3CTraceContextPropagator.getInstance().extract(Context.root(), attributes, ATTRIBUTES))
                            .getSpanContext();
        }
    }

    public static final class JournalMetrics {

        private final MeterRegistry registry;
        private final ReasonCounters parked;
        private final ReasonCounters deadLetters;
        private final Counter unreadable;

        public JournalMetrics(MeterRegistry registry) {
            this.registry = registry;
            this.parked = new ReasonCounters(registry, "windrow.writer.journal.parked",
                    "Additions to a bucket that its item rejected, sent to the dead-letter queue", Of.WORLD);
            this.deadLetters = new ReasonCounters(registry, "windrow.writer.dead.letters",
                    "Events or messages sent to the dead-letter queue", Of.EVENT, Of.WORLD);
            this.unreadable = QueueMetrics.counter(registry, "windrow.writer.journal.unreadable",
                    "Lanes found that this writer cannot recover, and minutes whose claims it cannot read");
        }

        public void show(JournalRun journal) {
            counter("windrow.writer.flushes", journal, JournalStatus::claims,
                    "Claims of messages, each with everything that they add");
            counter("windrow.writer.duplicates.dropped", journal, JournalStatus::duplicates,
                    "Claim units that were claimed before");
            gauge("windrow.writer.journal.lane", journal, JournalStatus::lane,
                    "Number of the lane that the writer holds, -1 if it has none");
            gauge("windrow.writer.journal.lanes.taken", journal, JournalStatus::taken,
                    "Lanes that are no seat for another writer, as last seen: at most " + TableSchema.MAX_LANES);
            gauge("windrow.writer.journal.waiting", journal, JournalStatus::waitingUnits,
                    "Claim units in memory that are not claimed yet");
            gauge("windrow.writer.journal.records", journal, JournalStatus::records,
                    "Claimed records that are not yet fully applied to their buckets");
            gauge("windrow.writer.journal.cells", journal, JournalStatus::cells,
                    "Buckets, and extremes of buckets, that lack something claimed");
            gauge("windrow.writer.journal.deferred", journal, JournalStatus::deferred,
                    "Buckets, and extremes of buckets, whose items take no update, so that others do not wait for them");
            gauge("windrow.writer.journal.abandoned", journal, JournalStatus::abandoned,
                    "Lanes without a holder whose additions are not in the table, as last seen");
            gauge("windrow.writer.journal.recovering", journal, status -> status.recovering() ? 1 : 0,
                    "Whether the writer recovers another lane");
        }

        private void counter(String name, JournalRun journal, ToDoubleFunction<JournalStatus> value, String description) {
            FunctionCounter.builder(name, journal, run -> value.applyAsDouble(run.status()))
                    .description(description).register(registry);
        }

        private void gauge(String name, JournalRun journal, ToDoubleFunction<JournalStatus> value, String description) {
            Gauge.builder(name, journal, run -> value.applyAsDouble(run.status())).description(description).register(registry);
        }

        void parked(Reason reason) {
            parked.increment(reason);
            deadLetters.increment(reason);
        }

        void unreadable() {
            unreadable.increment();
        }
    }
}
