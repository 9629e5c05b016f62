package dev.windrow.quickstart;

import java.io.PrintStream;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;

import dev.windrow.quickstart.check.GatherClient;
import dev.windrow.quickstart.check.Totals;
import dev.windrow.quickstart.process.Ports;
import dev.windrow.quickstart.process.QueueClient;
import dev.windrow.quickstart.process.Stack;
import dev.windrow.quickstart.traffic.ApacheLog;
import dev.windrow.quickstart.traffic.Click;
import dev.windrow.quickstart.traffic.GeneratedClicks;

/**
 * The quick start: embedded servers, writer and gatherer on the documented ports, events replayed, answers compared with
 * what was sent.
 */
public final class QuickStart {

    private static final int GENERATED = 20_000;
    private static final Duration GENERATED_SPAN = Duration.ofHours(6);
    private static final int PAGE = 1_000;

    private final Options options;
    private final PrintStream out;
    private final Totals sent = new Totals();
    private int unreadable;

    private QuickStart(Options options, PrintStream out) {
        this.options = options;
        this.out = out;
    }

    /**
     * Runs it; system properties tell how, see {@link Options}. The process ends with exit code 1 if anything failed, or if
     * the gatherer's totals are not those of the events sent.
     */
    public static void main(String[] args) throws InterruptedException {
        QuickStart quickStart = new QuickStart(Options.ofSystemProperties(), System.out);
        boolean exact;
        try {
            exact = quickStart.run();
        } catch (IllegalStateException | IllegalArgumentException e) {
            System.out.println("\nThe quick start failed: " + e.getMessage());
            exact = false;
        }
        // Ends Maven's JVM, which this runs in: the answer stands last on the screen, and modules not needed are not built.
        System.exit(exact ? 0 : 1);
    }

    private boolean run() throws InterruptedException {
        Path logs = options.root().resolve("quickstart/target/logs");
        out.println("\nStarting embedded DynamoDB and SQS, the writer and the gatherer (logs in " + logs + ")");
        try (Stack stack = Stack.start(options.root(), logs, options.root().resolve("quickstart/datasets.yaml"),
                Ports.DOCUMENTED)) {
            // Ctrl-C ends this JVM without unwinding, so the children are stopped from a hook as well; closing is idempotent.
            Runtime.getRuntime().addShutdownHook(new Thread(stack::close, "stop"));
            replay(stack);
            boolean exact = answer(stack);
            if (!options.exit()) {
                out.println("\nRunning until Ctrl-C.");
                new CountDownLatch(1).await();
            }
            return exact;
        }
    }

    private void replay(Stack stack) throws InterruptedException {
        try (QueueClient queue = QueueClient.open(stack.sqsEndpoint(), "windrow-events"); Stream<Click> clicks = clicks()) {
            Replay replay = new Replay(queue, out);
            Iterator<Click> counted = clicks.peek(this::count).iterator();
            long begin = System.nanoTime();
            int events = replay.send(counted);
            replay.awaitWritten();
            double seconds = (System.nanoTime() - begin) / 1e9;
            out.printf("  %,d events in %.1f s%n", events, seconds);
        }
        if (unreadable > 0) {
            out.printf("  %,d lines are no lines of a combined log and were left out%n", unreadable);
        }
    }

    private Stream<Click> clicks() {
        if (options.log().isPresent()) {
            Path log = options.log().get();
            out.println("\nReplaying " + log);
            if (!Files.isReadable(log)) {
                throw new IllegalArgumentException("-Dlog=" + log + ": expected a readable file");
            }
            return ApacheLog.lines(log).flatMap(line -> click(line).stream());
        }
        out.printf("%nReplaying generated clicks, seed %d (repeat with -Dseed=%d; -Dlog=FILE replays an access log)%n",
                options.seed(), options.seed());
        return new GeneratedClicks(RandomGeneratorFactory.of("Xoshiro256PlusPlus").create(options.seed()), Instant.now(),
                GENERATED_SPAN).clicks(GENERATED);
    }

    private Optional<Click> click(String line) {
        Optional<Click> click = ApacheLog.parse(line);
        if (click.isEmpty()) {
            unreadable++;
        }
        return click;
    }

    private void count(Click click) {
        Long bytes = click.bytes();
        sent.add(click.referrer(), 1, bytes == null ? 0 : bytes);
    }

    private boolean answer(Stack stack) {
        Totals answered = new Totals();
        for (JsonNode bucket : new GatherClient(stack.gather()).buckets("clicks", "day", "asc", PAGE)) {
            JsonNode measures = bucket.get("measures");
            answered.add(bucket.get("label").get(0).asText(), measures.get("events").longValue(), bytes(measures));
        }
        Report report = new Report(out);
        report.table(answered);
        report.addresses();
        List<String> differences = sent.differences(answered);
        if (differences.isEmpty()) {
            out.println("\nExact: the gatherer's totals are those of the events sent.");
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
