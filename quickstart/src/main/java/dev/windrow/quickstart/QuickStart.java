package dev.windrow.quickstart;

import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;

import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Datasets;
import software.amazon.awssdk.core.exception.SdkException;

/**
 * The quick start: embedded servers, writer and gatherer on the documented ports or those of options, events replayed,
 * answers compared with what was sent, and then new clicks until Ctrl-C. With events or datasets of one's own, nothing is made
 * up.
 */
public final class QuickStart {

    private static final int PAGE = 1_000;
    private static final String CLICKS = "clicks";
    /** The granularity whose buckets are compared with what was sent. */
    private static final String CHECKED = "day";
    /** How often clicks are sent once the past is there. */
    private static final Duration INTERVAL = Duration.ofSeconds(1);

    private final Options options;
    private final Datasets datasets;
    private final PrintStream out;
    private final Report report;
    /** The first phase began with the process: Maven's, which has built the project before. */
    private final Phases phases = new Phases(InstantSource.system(),
            Instant.ofEpochMilli(ManagementFactory.getRuntimeMXBean().getStartTime()));
    private final Totals sent = new Totals();
    private final ApacheLog logged = new ApacheLog();
    private volatile boolean stopping;

    private QuickStart(Options options, PrintStream out) {
        this.options = options;
        this.datasets = options.declared();
        this.out = out;
        this.report = new Report(out, options.ports());
    }

    /**
     * Runs it as {@link Options} say, which are system properties. The process ends with exit code 1 if anything failed, if the
     * gatherer's totals are not those of the events sent, or if events of one's own were rejected.
     */
    public static void main(String[] args) throws InterruptedException {
        boolean exact;
        try {
            exact = new QuickStart(Options.ofSystemProperties(), System.out).run();
        } catch (IllegalStateException | IllegalArgumentException e) {
            System.out.println("\nThe quick start failed: " + e.getMessage());
            exact = false;
        }
        // Ends Maven's JVM, which this runs in: the result is the last thing on the screen, and modules not needed are not built.
        System.exit(exact ? 0 : 1);
    }

    private boolean run() throws InterruptedException {
        Path logs = options.root().resolve("quickstart/target/logs");
        phases.end("build");
        out.println("\nStarting embedded DynamoDB and SQS, the writer and the gatherer (logs in " + logs + ")");
        try (Stack stack = Stack.start(options.root(), logs, options.datasetsFile(), options.ports())) {
            // Ctrl-C ends this JVM without unwinding, so the children are stopped from a hook as well; closing is idempotent.
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                stopping = true;
                stack.close();
            }, "stop"));
            phases.end("start");
            out.printf("  ready: open http://localhost:%d/ and watch it fill%n", options.ports().gather());
            LifelikeClicks lifelike = new LifelikeClicks(
                    RandomGeneratorFactory.of("Xoshiro256PlusPlus").create(options.seed()), Instant.now());
            try (Replay replay = new Replay(stack.sqs(), out)) {
                boolean good = options.isOwn() ? own(replay, stack) : clicks(replay, stack.gather(), lifelike);
                out.println("\nTime to value: " + phases);
                if (!options.exit()) {
                    keepRunning(replay, lifelike);
                }
                return good;
            }
        }
    }

    /** Until Ctrl-C, with new clicks every second, unless it is someone's own events that are looked at. */
    private void keepRunning(Replay replay, LifelikeClicks lifelike) throws InterruptedException {
        if (options.isOwn() || options.log().isPresent()) {
            out.println("\nRunning until Ctrl-C.");
            new CountDownLatch(1).await();
        }
        try {
            // First those of the time that the past took: whoever reads the next line finds no gap.
            replay.post(EventMessages.of(lifelike.present(Instant.now()).stream()));
            out.println("\nRunning until Ctrl-C, with a few new clicks every second: watch the page move.");
            while (!stopping) {
                Thread.sleep(INTERVAL.toMillis());
                replay.post(EventMessages.of(lifelike.present(Instant.now()).stream()));
            }
        } catch (SdkException e) {
            if (!stopping) {
                throw new IllegalStateException("the queue accepts no more clicks: " + e.getMessage(), e);
            }
        }
    }

    /** Sends what {@code -Devents} names, if it is given; whether every line of it is counted. */
    private boolean own(Replay replay, Stack stack) throws InterruptedException {
        if (options.events().isEmpty()) {
            report.addresses(datasets.all().get(0), Optional.empty());
            report.queue();
            return true;
        }
        Path file = options.events().get();
        out.println("\nSending the events of " + file);
        OwnEvents.Result result = new OwnEvents(file, datasets, out).count(replay, stack.gather(), stack.writer());
        phases.end("first events");
        if (result.largest().isEmpty()) {
            out.println("\nNothing is counted: correct the lines above, or the datasets in " + options.datasetsFile());
        } else {
            report.addresses(result.largest().get(), Report.Span.of(stack.gather(), result.largest().get()));
        }
        report.queue();
        return result.allGood();
    }

    /** Sends generated clicks, or those of a log; whether the gatherer's totals are those of what was sent. */
    private boolean clicks(Replay replay, ServiceClient gather, LifelikeClicks lifelike) throws InterruptedException {
        try (Stream<Click> clicks = clicks(lifelike)) {
            replay.send(EventMessages.of(clicks.peek(this::count)), Replay.NOBODY);
            logged.leftOut().forEach(sentence -> out.println("  " + sentence));
            options.log().ifPresent(logged::requireAny);
            replay.awaitCounted(gather, CLICKS, List.of(CHECKED));
        }
        phases.end("first events");
        boolean exact = answer(gather);
        phases.end("comparison");
        Dataset dataset = datasets.named(CLICKS).orElseThrow();
        report.addresses(dataset, options.log().flatMap(log -> Report.Span.of(gather, dataset)));
        report.ownEvents();
        return exact;
    }

    private Stream<Click> clicks(LifelikeClicks lifelike) {
        if (options.log().isPresent()) {
            Path log = options.log().get();
            out.println("\nReplaying " + log);
            return ApacheLog.lines(log).flatMap(line -> logged.of(line).stream());
        }
        out.printf("%nSending the clicks of two weeks, seed %d (repeat with -Dseed=%d; -Dlog=FILE replays an access log, and"
                + " -Devents=FILE sends events)%n", options.seed(), options.seed());
        return lifelike.past();
    }

    private void count(Click click) {
        Long bytes = click.bytes();
        sent.add(List.of(click.referrer(), click.page(), click.country()), click.count(), bytes == null ? 0 : bytes);
    }

    private boolean answer(ServiceClient gather) {
        Totals answered = new Totals();
        for (JsonNode bucket : gather.buckets(CLICKS, CHECKED, "asc", PAGE)) {
            JsonNode measures = bucket.get("measures");
            List<String> label = new ArrayList<>();
            bucket.get("label").forEach(value -> label.add(value.asText()));
            answered.add(label, measures.get("events").longValue(), bytes(measures));
        }
        report.table(answered);
        List<String> differences = sent.differences(answered);
        if (differences.isEmpty()) {
            out.println("\nExact: the gatherer's totals match the events sent.");
        } else {
            out.println("\nNOT exact:");
            differences.forEach(difference -> out.println("  " + difference));
        }
        return differences.isEmpty();
    }

    private static long bytes(JsonNode measures) {
        // A bucket whose events all lack the attribute has no sum of it.
        return measures.hasNonNull("bytes") ? new BigDecimal(measures.get("bytes").asText()).longValueExact() : 0;
    }

    /** How long each phase took since the command was started. */
    static final class Phases {

        private final InstantSource clock;
        private final Instant start;
        private final List<String> ended = new ArrayList<>();
        private Instant last;

        /** @param start of the first phase */
        Phases(InstantSource clock, Instant start) {
            this.clock = clock;
            this.start = start;
            this.last = start;
        }

        /** Ends a phase; the next begins. */
        void end(String name) {
            Instant now = clock.instant();
            ended.add(name + " " + seconds(last, now));
            last = now;
        }

        /** Such as {@code 41 s (build 30 s, start 11 s)}. */
        @Override
        public String toString() {
            return seconds(start, last) + " (" + String.join(", ", ended) + ")";
        }

        private static String seconds(Instant from, Instant to) {
            return Math.round(Duration.between(from, to).toMillis() / 1_000.0) + " s";
        }
    }
}
