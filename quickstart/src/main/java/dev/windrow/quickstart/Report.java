package dev.windrow.quickstart;

import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import com.fasterxml.jackson.databind.JsonNode;

import dev.windrow.dataset.Dataset;
import dev.windrow.time.Granularity;

/** Prints the quick start's results once everything is written. */
final class Report {

    private static final int TOP = 10;
    private static final int LABEL_WIDTH = 60;

    private final PrintStream out;
    private final String gather;
    private final String writer;
    private final String queue;

    Report(PrintStream out, Ports ports) {
        this.out = out;
        this.gather = "http://localhost:" + ports.gather();
        this.writer = "http://localhost:" + ports.writer();
        this.queue = "http://localhost:" + ports.sqs() + "/000000000000/windrow-events";
    }

    /** Prints the referrers with the highest counts, and the total. */
    void table(Totals answered) {
        out.printf("%nTotals from the gatherer: %,d referrers%n", answered.byReferrer().size());
        out.printf("  %-" + LABEL_WIDTH + "s %12s %18s%n", "referrer", "events", "bytes");
        for (Map.Entry<String, Totals.Total> row : answered.top(TOP)) {
            row(row.getKey(), row.getValue());
        }
        row("all", answered.sum());
    }

    private void row(String label, Totals.Total total) {
        String shown = label.length() <= LABEL_WIDTH ? label : label.substring(0, LABEL_WIDTH - 1) + "…";
        out.printf("  %-" + LABEL_WIDTH + "s %,12d %,18d%n", shown, total.events(), total.bytes());
    }

    /**
     * The time range of a dataset's buckets, in whole days, or hours if it is short: a coarser bucket is in a range if its
     * start is.
     *
     * @param from the start of the first bucket, or earlier
     * @param to the end of the last bucket, or later
     */
    record Span(Instant from, Instant to) {

        private static final Duration LONG = Duration.ofDays(2);

        /**
         * Spans the first to the last indexed bucket of the finest granularity that is kept forever, else of the coarsest.
         *
         * @return empty if there is no bucket, or only buckets of all time
         */
        static Optional<Span> of(ServiceClient gather, Dataset dataset) {
            List<Granularity> timed = dataset.index().stream().filter(any -> !any.equals(Granularity.FOREVER)).toList();
            if (timed.isEmpty()) {
                return Optional.empty();
            }
            Granularity lasting = timed.stream().filter(any -> dataset.retention().of(any) == null).findFirst()
                    .orElse(timed.get(timed.size() - 1));
            String query = "/api/v1/datasets/" + dataset.name() + "/buckets?partial=false&limit=1&granularity="
                    + lasting.name() + "&order=";
            JsonNode first = gather.get(query + "asc").get("items");
            JsonNode last = gather.get(query + "desc").get("items");
            return first.isEmpty() || last.isEmpty() ? Optional.empty()
                    : Optional.of(of(start(first), lasting.end(start(last))));
        }

        private static Span of(Instant from, Instant to) {
            Granularity whole = Duration.between(from, to).compareTo(LONG) > 0 ? Granularity.DAY : Granularity.HOUR;
            Instant end = whole.floor(to);
            return new Span(whole.floor(from), end.equals(to) ? to : whole.end(end));
        }

        /** Returns the range as query parameters. */
        String query() {
            return "&from=" + from + "&to=" + to;
        }

        /** Returns this range extended to begin at the start of a bucket. */
        Span wholly(Granularity granularity) {
            return new Span(granularity.floor(from), to);
        }

        /** Whether the range covers several buckets of a granularity. */
        boolean isLongerThan(Granularity granularity) {
            return Duration.between(from, to).toSeconds() > granularity.typicalSeconds();
        }

        private static Instant start(JsonNode items) {
            return Instant.parse(items.get(0).get("start").asText());
        }
    }

    /**
     * Prints the address of the page, sample queries, and the addresses of the API and the metrics.
     *
     * @param dataset the dataset to show
     * @param span its range; empty for one that ends now, or if it has no index that a page could be read from
     */
    void addresses(Dataset dataset, Optional<Span> span) {
        String queries = gather + "/api/v1/datasets/" + dataset.name();
        String page = span.map(range -> "#dataset=" + dataset.name() + "&last=" + range.query()).orElse("");
        out.println("\nOpen the page\n  " + gather + "/" + page);
        if (!dataset.index().isEmpty()) {
            String by = dataset.columns().get(0).name();
            String group = dataset.label().isEmpty() ? "" : "&groupBy=" + ServiceClient.encoded(dataset.label().get(0));
            Granularity series = dataset.index().stream().filter(granularity -> span.isEmpty()
                    ? granularity.compareTo(Granularity.HOUR) <= 0
                    : span.get().isLongerThan(granularity)).reduce((finer, coarser) -> coarser).orElse(dataset.index().get(0));
            out.println("\nThe top of " + (span.isPresent() ? "all" : "today") + ", and everything over time\n"
                    + "  curl '" + queries + "/top?by=" + by + group + span.map(Span::query).orElse("&last=today") + "'\n"
                    + "  curl '" + queries + "/series?granularity=" + series.name()
                    + span.map(range -> range.wholly(series).query()).orElse("&last=this-week") + "'");
        }
        out.println("\nExplore the API\n  " + gather + "/q/swagger-ui");
        out.println("\nThe writer's metrics\n  " + writer + "/q/metrics");
    }

    /** Prints commands that send a valid and an invalid event. */
    void ownEvents() {
        String label = "https://example.org/";
        String event = "curl " + queue + " -d Action=SendMessage --data-urlencode \"MessageBody={\\\"type\\\":\\\"click\\\","
                + "\\\"time\\\":\\\"$(date -u +%FT%TZ)\\\",\\\"attributes\\\":{\\\"referrer\\\":\\\"" + label
                + "\\\",\\\"page\\\":\\\"/\\\"";
        out.println("\nSend an event of your own, and query it a few seconds later\n  " + event
                + ",\\\"country\\\":\\\"NZ\\\",\\\"bytes\\\":5120}}\"\n  curl '" + gather
                + "/api/v1/datasets/clicks/totals?label=" + label + "&last=1h'");
        out.println("\nSend one without a country, and see why it is rejected\n  " + event + "}}\"\n  curl " + writer
                + "/manage/dead-letters");
    }

    /** Prints where to send events and where rejected ones are listed, for datasets that are not known here. */
    void queue() {
        out.println("\nSend events to the queue (-Devents=FILE does, one a line), and see which are rejected, and why\n"
                + "  curl " + queue + " -d Action=SendMessage --data-urlencode 'MessageBody={…}'\n"
                + "  curl " + writer + "/manage/dead-letters");
    }
}
