package dev.windrow.quickstart;

import java.io.PrintStream;
import java.net.URI;
import java.util.Map;

import dev.windrow.quickstart.check.Totals;
import dev.windrow.quickstart.process.Ports;

/** What the quick start prints once everything was written. */
final class Report {

    private static final int TOP = 10;
    private static final int LABEL_WIDTH = 60;

    private final PrintStream out;

    Report(PrintStream out) {
        this.out = out;
    }

    /** The referrers with the most events, and all together. */
    void table(Totals answered) {
        out.printf("%nWhat the gatherer answers: %,d referrers%n", answered.referrers());
        out.printf("  %-" + LABEL_WIDTH + "s %10s %16s%n", "referrer", "events", "bytes");
        for (Map.Entry<String, Totals.Total> row : answered.top(TOP)) {
            row(row.getKey(), row.getValue());
        }
        row("all", answered.sum());
    }

    private void row(String label, Totals.Total total) {
        String shown = label.length() <= LABEL_WIDTH ? label : label.substring(0, LABEL_WIDTH - 1) + "…";
        out.printf("  %-" + LABEL_WIDTH + "s %,10d %,16d%n", shown, total.events(), total.bytes());
    }

    /** Where to look further. */
    void addresses() {
        URI gather = URI.create("http://localhost:" + Ports.DOCUMENTED.gather());
        String clicks = gather + "/api/v1/datasets/clicks";
        out.println("\nTry");
        out.println("  " + gather + "/q/swagger-ui");
        out.println("  " + clicks + "/buckets?granularity=hour&order=desc&limit=5");
        out.println("  " + clicks + "/series?label=-&granularity=day");
        out.println("  " + clicks + "/totals?label=-");
        out.println("  http://localhost:" + Ports.DOCUMENTED.writer() + "/q/metrics");
    }
}
