package dev.windrow.quickstart;

import java.io.PrintStream;
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

    /** The referrers with the highest counts, and the total. */
    void table(Totals answered) {
        out.printf("%nTotals from the gatherer: %,d referrers%n", answered.referrers());
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

    /** Where to look, and how to send an event and see it counted. */
    void addresses(Ports ports) {
        String gather = "http://localhost:" + ports.gather();
        String label = "https://example.org/";
        String clicks = gather + "/api/v1/datasets/clicks";
        out.println("\nOpen the page\n  " + gather + "/");
        out.println("\nQuery the latest hours\n  curl '" + clicks + "/buckets?granularity=hour&order=desc&limit=5'");
        out.println("\nSend an event of your own, and query it a few seconds later\n"
                + "  curl http://localhost:" + ports.sqs() + "/000000000000/windrow-events -d Action=SendMessage"
                + " --data-urlencode \"MessageBody={\\\"type\\\":\\\"click\\\",\\\"time\\\":\\\"$(date -u +%FT%TZ)\\\","
                + "\\\"attributes\\\":{\\\"referrer\\\":\\\"" + label + "\\\",\\\"bytes\\\":5120}}\"\n"
                + "  curl '" + clicks + "/totals?label=" + label + "&last=1h'");
        out.println("\nExplore the API\n  " + gather + "/q/swagger-ui");
        out.println("\nThe writer's metrics\n  http://localhost:" + ports.writer() + "/q/metrics");
    }
}
