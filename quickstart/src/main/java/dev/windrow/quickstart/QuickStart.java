package dev.windrow.quickstart;

import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.random.RandomGeneratorFactory;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;

import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Datasets;
import dev.windrow.time.Granularity;
import software.amazon.awssdk.core.exception.SdkException;

/**
 * The quick start: starts embedded servers, writer and gatherer on the documented or chosen ports, replays events, compares
 * the answers with the events sent, and then sends new clicks until Ctrl-C. With own events or datasets, it generates none.
 */
public final class QuickStart {

    private static final int PAGE = 1_000;
    private static final String CLICKS = "clicks";
    /** The granularity whose buckets are compared with the events sent. */
    private static final String CHECKED = "day";
    /** How often clicks are sent once the past has been replayed. */
    private static final Duration INTERVAL = Duration.ofSeconds(1);

    private final Options options;
    private final Datasets datasets;
    private final PrintStream out;
    private final Report report;
    /** The first phase starts with the process, which is Maven's and has built the project. */
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
     * Runs the quick start with {@link Options} from system properties. The process exits with code 1 if anything failed, if
     * the gatherer's totals differ from the events sent, or if the user's own events were rejected.
     */
    public static void main(String[] args) throws InterruptedException {
        boolean exact;
        try {
            exact = new QuickStart(Options.ofSystemProperties(), System.out).run();
        } catch (IllegalStateException | IllegalArgumentException e) {
            System.out.println("\nThe quick start failed: " + e.getMessage());
            exact = false;
        }
        // Runs in Maven's JVM and ends it, so that the result is the last output, and no further modules are built.
        System.exit(exact ? 0 : 1);
    }

    private boolean run() throws InterruptedException {
        Path logs = options.root().resolve("quickstart/target/logs");
        phases.end("build");
        out.println("\nStarting embedded DynamoDB and SQS, the writer and the gatherer (logs in " + logs + ")");
        try (Stack stack = Stack.start(options.root(), logs, options.datasetsFile(), options.ports())) {
            // Ctrl-C ends this JVM without unwinding, so a hook stops the children as well; closing is idempotent.
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

    /** Runs until Ctrl-C and sends new clicks every second, unless the user's own events or a log are shown. */
    private void keepRunning(Replay replay, LifelikeClicks lifelike) throws InterruptedException {
        if (options.isOwn() || options.log().isPresent()) {
            out.println("\nRunning until Ctrl-C.");
            new CountDownLatch(1).await();
        }
        try {
            // First the clicks of the time that the replay took, so that the page shows no gap.
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

    /** Sends the events of {@code -Devents}, if given; returns whether every line is counted. */
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

    /** Sends generated clicks, or those of a log; returns whether the gatherer's totals match the events sent. */
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
        // A bucket whose events all lack the attribute has no sum.
        return measures.hasNonNull("bytes") ? new BigDecimal(measures.get("bytes").asText()).longValueExact() : 0;
    }

    /** The duration of each phase since the command was started. */
    static final class Phases {

        private final InstantSource clock;
        private final Instant start;
        private final List<String> ended = new ArrayList<>();
        private Instant last;

        /** @param start start of the first phase */
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

        /** Returns text such as {@code 41 s (build 30 s, start 11 s)}. */
        @Override
        public String toString() {
            return seconds(start, last) + " (" + String.join(", ", ended) + ")";
        }

        private static String seconds(Instant from, Instant to) {
            return Math.round(Duration.between(from, to).toMillis() / 1_000.0) + " s";
        }
    }

    /** Posts the events of a file, waits until they are counted, and reports which lines are not, and why. */
    static final class OwnEvents {

        private static final int MAX_LETTERS = 1_000;

        private final Path file;
        private final Datasets datasets;
        private final PrintStream out;
        private final EventLines.Bad bad = new EventLines.Bad();

        OwnEvents(Path file, Datasets datasets, PrintStream out) {
            this.file = file;
            this.datasets = datasets;
            this.out = out;
        }

        /**
         * The outcome for the events.
         *
         * @param largest the dataset in which most of them count, preferably one with an index; empty if there is none
         * @param allGood whether no line was rejected
         */
        record Result(Optional<Dataset> largest, boolean allGood) {
        }

        /**
         * Posts the events and reports.
         *
         * @param writer client of the writer's management port
         * @throws IllegalArgumentException if there are no events
         * @throws IllegalStateException if they are not counted within the time limits of {@link Replay}
         */
        Result count(Replay replay, ServiceClient gather, ServiceClient writer) throws InterruptedException {
            Map<String, EventMessage> posted = new HashMap<>();
            long sent;
            try (Stream<EventLine> lines = EventLines.of(file, bad)) {
                // Keeps messages without their bodies, as only their lines are looked up later.
                sent = replay.send(new EventMessages(lines),
                        (id, message) -> posted.put(id, new EventMessage("", message.first(), message.events())));
            }
            if (sent + bad.count() == 0) {
                throw new IllegalArgumentException("-Devents=" + file + ": expected events, one a line, found an empty file");
            }
            replay.awaitClaimed();
            for (Dataset dataset : datasets.all()) {
                replay.awaitCounted(gather, dataset.name(), dataset.index().stream().map(Granularity::name).toList());
            }
            long unsent = bad.count();
            for (JsonNode letter : writer.get("/manage/dead-letters?limit=" + MAX_LETTERS).get("items")) {
                JsonNode attributes = letter.get("attributes");
                EventMessage message = posted.get(attributes.path("source-message-id").asText());
                if (message != null) {
                    add(message, attributes);
                }
            }
            return report(writer.text("/q/metrics"), sent, unsent);
        }

        /** @param letter attributes of a rejected event, or of a whole message, which has no position */
        private void add(EventMessage message, JsonNode letter) {
            String reason = letter.path("reason").asText() + ": " + letter.path("detail").asText();
            int position = letter.path("source-event").asInt(message.events() == 1 ? 0 : -1);
            if (position >= 0 && position < message.events()) {
                bad.add(message.first() + position, reason);
            } else {
                bad.add(message.first(), reason + " (somewhere in lines " + message.first() + " to "
                        + (message.first() + message.events() - 1) + ")");
            }
        }

        private Result report(String metrics, long sent, long unsent) {
            long rejected = counter(metrics, "windrow_writer_dead_letters_total", "");
            long ignored = counter(metrics, "windrow_writer_events_ignored_total", "");
            out.printf("%n%,d events sent: %,d rejected, %,d ignored; %,d lines of the file are no events%n", sent, rejected,
                    ignored, unsent);
            Map<Dataset, Long> counted = new LinkedHashMap<>();
            for (Dataset dataset : datasets.all()) {
                long events = counter(metrics, "windrow_writer_events_aggregated_total", "dataset=\"" + dataset.name() + "\"");
                out.printf("  %,d counted in %s%n", events, dataset.name());
                if (events > 0) {
                    counted.put(dataset, events);
                }
            }
            if (rejected + unsent > 0) {
                out.println("Lines that are not counted");
                bad.sentences(rejected + unsent).forEach(sentence -> out.println("  " + sentence));
            }
            // The page, like any query of all labels, needs an index.
            Optional<Dataset> largest = counted.entrySet().stream()
                    .max(Comparator.comparing((Map.Entry<Dataset, Long> entry) -> !entry.getKey().index().isEmpty())
                            .thenComparing(Map.Entry::getValue))
                    .map(Map.Entry::getKey);
            return new Result(largest, rejected == 0 && unsent == 0);
        }

        /** Returns the sum of a counter over all its tags, or over those with one value of a tag; 0 if there is none. */
        private static long counter(String metrics, String name, String tagAndValue) {
            Pattern sample = Pattern.compile("^" + name + "(\\{[^}]*}|) ([0-9.eE+]+)$", Pattern.MULTILINE);
            return Math.round(sample.matcher(metrics).results().filter(match -> match.group(1).contains(tagAndValue))
                    .mapToDouble(match -> Double.parseDouble(match.group(2))).sum());
        }
    }
}
