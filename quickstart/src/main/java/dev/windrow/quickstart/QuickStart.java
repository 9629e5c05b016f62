package dev.windrow.quickstart;

import java.io.PrintStream;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;

import dev.windrow.quickstart.check.GatherClient;
import dev.windrow.quickstart.check.Totals;
import dev.windrow.quickstart.process.QueueClient;
import dev.windrow.quickstart.process.Stack;
import dev.windrow.quickstart.traffic.ApacheLog;
import dev.windrow.quickstart.traffic.Click;
import dev.windrow.quickstart.traffic.GeneratedClicks;
import dev.windrow.quickstart.traffic.LogClicks;
import dev.windrow.quickstart.traffic.Trickle;
import software.amazon.awssdk.core.exception.SdkException;

/**
 * The quick start: embedded servers, writer and gatherer on the documented ports or those of options, events replayed,
 * answers compared with what was sent, and then new clicks until Ctrl-C.
 */
public final class QuickStart {

    /** Nearly each of them is a bucket of its own, which the embedded DynamoDB takes milliseconds to write. */
    private static final int GENERATED = 3_000;
    private static final Duration GENERATED_SPAN = Duration.ofHours(6);
    private static final int PAGE = 1_000;
    /** The granularity whose buckets are compared with what was sent. */
    private static final String CHECKED = "day";
    private static final String EVENTS = "windrow-events";

    private final Options options;
    private final PrintStream out;
    private final Phases phases;
    private final Totals sent = new Totals();
    private final LogClicks logged = new LogClicks();
    private volatile boolean stopping;

    private QuickStart(Options options, PrintStream out) {
        this.options = options;
        this.out = out;
        this.phases = Phases.sinceStartOfThisProcess();
    }

    /**
     * Runs it as {@link Options} say, which are system properties. The process ends with exit code 1 if anything failed, or if
     * the gatherer's totals are not those of the events sent.
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
        try (Stack stack = Stack.start(options.root(), logs, options.root().resolve("quickstart/datasets.yaml"),
                options.ports())) {
            // Ctrl-C ends this JVM without unwinding, so the children are stopped from a hook as well; closing is idempotent.
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                stopping = true;
                stack.close();
            }, "stop"));
            phases.end("start");
            out.printf("  ready: open http://localhost:%d/ and watch it fill%n", options.ports().gather());
            replay(stack);
            phases.end("first events");
            boolean exact = answer(stack);
            phases.end("comparison");
            out.println("Time to value: " + phases);
            if (!options.exit()) {
                keepRunning(stack);
            }
            return exact;
        }
    }

    /** Until Ctrl-C, with new clicks every second, unless it is someone's own log that is looked at. */
    private void keepRunning(Stack stack) throws InterruptedException {
        if (options.log().isPresent()) {
            out.println("\nRunning until Ctrl-C.");
            new CountDownLatch(1).await();
        }
        out.println("\nRunning until Ctrl-C, with a few new clicks every second: watch the page move.");
        Trickle trickle = new Trickle(random());
        try (QueueClient queue = QueueClient.open(stack.sqsEndpoint(), EVENTS)) {
            while (!stopping) {
                queue.send(trickle.messages(Instant.now()));
                Thread.sleep(Trickle.INTERVAL.toMillis());
            }
        } catch (SdkException e) {
            if (!stopping) {
                throw new IllegalStateException("the queue accepts no more clicks: " + e.getMessage(), e);
            }
        }
    }

    private RandomGenerator random() {
        return RandomGeneratorFactory.of("Xoshiro256PlusPlus").create(options.seed());
    }

    private void replay(Stack stack) throws InterruptedException {
        try (QueueClient queue = QueueClient.open(stack.sqsEndpoint(), EVENTS); Stream<Click> clicks = clicks()) {
            Replay replay = new Replay(queue, out);
            Iterator<Click> counted = clicks.peek(this::count).iterator();
            replay.send(counted);
            logged.leftOut().forEach(sentence -> out.println("  " + sentence));
            options.log().ifPresent(logged::requireAny);
            replay.awaitCounted(new GatherClient(stack.gather()), "clicks", List.of(CHECKED));
        }
    }

    private Stream<Click> clicks() {
        if (options.log().isPresent()) {
            Path log = options.log().get();
            out.println("\nReplaying " + log);
            return ApacheLog.lines(log).flatMap(line -> logged.of(line).stream());
        }
        out.printf("%nReplaying generated clicks, seed %d (repeat with -Dseed=%d; -Dlog=FILE replays an access log)%n",
                options.seed(), options.seed());
        return new GeneratedClicks(random(), Instant.now(), GENERATED_SPAN).clicks(GENERATED);
    }

    private void count(Click click) {
        Long bytes = click.bytes();
        sent.add(click.referrer(), 1, bytes == null ? 0 : bytes);
    }

    private boolean answer(Stack stack) {
        Totals answered = new Totals();
        for (JsonNode bucket : new GatherClient(stack.gather()).buckets("clicks", CHECKED, "asc", PAGE)) {
            JsonNode measures = bucket.get("measures");
            answered.add(bucket.get("label").get(0).asText(), measures.get("events").longValue(), bytes(measures));
        }
        Report report = new Report(out);
        report.table(answered);
        report.addresses(options.ports());
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
}
