package dev.windrow.bench.experiment;

import java.util.List;

import dev.windrow.bench.page.Section;
import dev.windrow.bench.page.Section.Table;
import dev.windrow.bench.page.Section.Target;
import dev.windrow.bench.partition.Formulas;
import dev.windrow.bench.partition.Units;

/** The worked examples of the sources, computed by the model that the other experiments use. */
final class Examples implements Experiment {

    @Override
    public String id() {
        return "examples";
    }

    @Override
    public Section run(Lab lab) {
        List<List<Object>> rows = List.of(
                row("partitions for 7,500 read and 3,000 write units", 6, Formulas.partitionsForCapacity(7_500, 3_000)),
                row("partitions for 5,000 read and 2,000 write units", 4, Formulas.partitionsForCapacity(5_000, 2_000)),
                row("partitions for 8,000 read and 2,000 write units", 5, Formulas.partitionsForCapacity(8_000, 2_000)),
                row("partitions for 65 GB", 7, Formulas.partitionsForSize(65)),
                row("read units of 8 index items of 2,000 bytes", 2, Units.read(16_000, false)),
                row("read units of 4 projected items of 200 bytes", 0.5, Units.read(800, false)),
                row("read units of a page of 1 MB, eventually consistent", 128, Units.read(1 << 20, false)),
                row("read units of a page of 1 MB, strongly consistent", 256, Units.read(1 << 20, true)),
                row("writes for 5,000 events at 2,000/s of 200 referrers, 1 s buckets", 500,
                        Formulas.writes(5_000, 2_000, 200, 1)),
                row("writes/s of one event time over 100 scattered values", 100_000, Formulas.scatteredWrites(100)));
        long equal = rows.stream().filter(row -> ((Number) row.get(1)).doubleValue() == ((Number) row.get(2)).doubleValue())
                .count();
        return new Section(id(), "The model: worked examples", """
                Each partition key of the table and of its index has a token bucket of 1,000 write and 3,000 read units a
                second, without burst; a write is admitted if its table key and every index key it touches have the units,
                so an index out of capacity throttles its table. The rules and examples are those of "Scaling Writes on
                Amazon DynamoDB Tables with Global Secondary Indexes", "Global Secondary Indexes" (developer guide) and
                "AWS and other interesting stuff".
                """, List.of(new Table("", List.of("example", "source says", "model says"), rows)), List.of(),
                List.of(Target.atLeast("examples", "worked examples that the model reproduces, of " + rows.size(),
                        (double) equal,
                        rows.size())));
    }

    private static List<Object> row(String example, double said, double computed) {
        return List.of(example, said, computed);
    }
}
