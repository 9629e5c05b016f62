package dev.windrow.bench.experiment;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

import dev.windrow.bench.page.Section;
import dev.windrow.bench.page.Section.Line;
import dev.windrow.bench.page.Section.Plot;
import dev.windrow.bench.page.Section.Table;
import dev.windrow.bench.queue.Body;
import dev.windrow.bench.stats.Numbers;
import dev.windrow.bench.wire.DynamoDbServer;

/** The writer's cost against labels, granularities and processes. */
final class WriterGrowth implements Experiment {

    private static final int BATCHED = 100;
    private static final List<String> GRANULARITIES = List.of("minute", "hour", "day", "week", "month", "year", "forever",
            "second");

    @Override
    public String id() {
        return "writer-growth";
    }

    @Override
    public Section run(Lab lab) {
        List<Table> tables = new ArrayList<>();
        List<Line> lines = new ArrayList<>();
        grow(lab, tables, lines, "labels", new int[] { 10, 100, 1_000, 10_000 }, n -> start(lab, "labels-" + n, 1, 1), n -> n);
        grow(lab, tables, lines, "granularities", new int[] { 1, 2, 4, 8 }, n -> start(lab, "granularities-" + n, n, 1),
                n -> 200);
        grow(lab, tables, lines, "pods", new int[] { 1, 2, 4 }, n -> start(lab, "pods-" + n, 1, n), n -> 200);
        return new Section(id(), "Growth: the writer", """
                Messages of 100 events, exactly once; 200 labels, one granularity and one process unless it is that which
                grows. CPU is that of all writer processes together. The exponent is the slope of the line: 0 is no growth, 1
                is growth in proportion.
                """, tables, List.of(new Plot("writer-growth", "CPU of the writer", "labels, granularities, pods",
                "µs of CPU per event", lines)), List.of());
    }

    private static Consumer start(Lab lab, String name, int granularities, int processes) {
        DatasetFile datasets = new DatasetFile(List.of("clicks"), GRANULARITIES.subList(0, granularities), List.of(10), "hash",
                "exactly-once", DatasetFile.BACKLOG_SLOTS);
        return Consumer.writer(lab, Service.WRITER, "growth-" + name, datasets, DynamoDbServer.Options.unlimited(), processes,
                List.of());
    }

    private static void grow(Lab lab, List<Table> tables, List<Line> lines, String what, int[] sizes,
            IntFunction<Consumer> start, IntFunction<Integer> labels) {
        List<List<Object>> rows = new ArrayList<>();
        Line line = new Line(what, new ArrayList<>(), new ArrayList<>());
        for (int size : sizes) {
            List<Body> pool = Events.clicks(lab.random(what + size), labels.apply(size)).messages(lab.amount(4_000), BATCHED);
            try (Consumer writer = start.apply(size)) {
                List<Double> micros = new ArrayList<>();
                List<Double> writes = new ArrayList<>();
                writer.consumeFor(Duration.ofSeconds(lab.amount(10)), pool, BATCHED);
                for (int round = 0; round < 3; round++) {
                    Consumer.Round measured = writer.consume(pool, BATCHED);
                    lab.tell("%s %d, round %d: %.1f s", what, size, round, measured.wall().toMillis() / 1e3);
                    micros.add(measured.processor().toNanos() / 1e3 / pool.size() / BATCHED);
                    writes.add((double) measured.table().writes() / pool.size() / BATCHED);
                }
                rows.add(List.of(size, Numbers.median(micros), Numbers.median(writes)));
                line.x().add((double) size);
                line.y().add(Numbers.median(micros));
            }
        }
        rows.add(List.of("exponent", Numbers.exponent(line.x().stream().mapToDouble(Double::doubleValue).toArray(),
                line.y().stream().mapToDouble(Double::doubleValue).toArray()), ""));
        tables.add(new Table("Against " + what, List.of(what, "µs of CPU per event", "item writes per event"), rows));
        lines.add(line);
    }
}
