package dev.windrow.gather.top;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.windrow.base.Reason;
import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.DatasetsYaml;
import dev.windrow.dataset.MeasureValue;
import dev.windrow.gather.fanout.FanoutLimits;
import dev.windrow.gather.fanout.Gatherer;
import dev.windrow.gather.fanout.HeldMemory;
import dev.windrow.gather.parameter.Parameters;
import dev.windrow.gather.parameter.QueryKind;
import dev.windrow.gather.plan.DatasetScope;
import dev.windrow.gather.plan.MeasureValues;
import dev.windrow.gather.plan.QueryContext;
import dev.windrow.gather.plan.QueryLimits;
import dev.windrow.gather.plan.TableFreshness;
import dev.windrow.gather.read.GatherException;
import dev.windrow.gather.read.ItemReader;
import dev.windrow.gather.read.RegisteredDatasets;
import dev.windrow.gather.read.ShardItem;
import dev.windrow.gather.read.ShardPage;
import dev.windrow.gather.read.ShardReader;
import dev.windrow.testing.Patience;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;

/** The maximum number of concurrent queries, each over many labels, in a process with the heap size of the image. */
@Tag("slow")
class ManyGroupsTest {

    private static final int QUERIES = 16;
    private static final int LABELS = 60_000;
    /** Number of queries that fit into the memory at a time: each holds 37 MB. */
    private static final int FITTING = 4;
    private static final String HEAP = "-Xmx358m";

    @Test
    void eachIsAnsweredOrOverloadedAndTheProcessLives() throws Exception {
        // Given
        Process queries = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), HEAP,
                "-XX:+ExitOnOutOfMemoryError", "-cp", System.getProperty("java.class.path"), Queries.class.getName())
                .redirectErrorStream(true).start();

        // When
        String output = new String(queries.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        // Then
        assertThat(queries.waitFor(Patience.LIMIT.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
        assertThat(queries.exitValue()).as(output).isZero();
        assertThat(output).contains("ended=" + QUERIES, "held=0").doesNotContainPattern("answered=[0-" + (FITTING - 1) + "] ");
    }

    static final class Queries {

        private static final Duration TIMEOUT = Patience.LIMIT;
        private static final Datasets DATASETS = DatasetsYaml.parse("test", """
                windrow:
                  datasets:
                    clicks: {event-type: click, label: [host], granularities: [minute], index: [minute], scatter: [{width: 1}],
                      measures: {events: {type: count}, bytes: {type: sum, attribute: bytes},
                        largest: {type: max, attribute: bytes}}}
                """);

        private Queries() {
        }

        public static void main(String[] args) {
            HeldMemory memory = new HeldMemory(Runtime.getRuntime().maxMemory() / 2);
            TopResource executor = executor(memory);
            QueryContext context = new QueryContext(
                    new QueryLimits(100, 1_000, 10_000, 10_000, 1_000_000, TIMEOUT, TIMEOUT, TIMEOUT),
                    Instant.parse("2026-11-20T11:00:00Z"), TableFreshness.UNKNOWN);
            TopQuery query = TopQuery.of(new DatasetScope("default", DATASETS.named("clicks").orElseThrow()),
                    Parameters.of(QueryKind.TOP, Map.of("last", List.of("1h"), "by", List.of("events"))), context);
            List<CompletableFuture<Optional<Reason>>> ends = Stream.generate(() -> executor.execute(query)
                    .map(top -> Optional.<Reason> empty())
                    .onFailure().recoverWithItem(failure -> Optional.of(GatherException.reasonOf(failure)))
                    .subscribeAsCompletionStage()).limit(QUERIES).toList();
            List<Optional<Reason>> reasons = ends.stream().map(CompletableFuture::join).toList();
            long answered = reasons.stream().filter(Optional::isEmpty).count();
            long overloaded = reasons.stream().filter(Optional.of(Reason.OVERLOADED)::equals).count();
            System.out.println("answered=" + answered + " overloaded=" + overloaded + " ended=" + (answered + overloaded)
                    + " held=" + memory.held());
            System.exit(0);
        }

        private static TopResource executor(HeldMemory memory) {
            Gatherer gatherer = new Gatherer(new Labels(), new FanoutLimits(8, QUERIES, QUERIES, QUERIES, TIMEOUT, 20_000),
                    Clock.systemUTC(), Infrastructure.getDefaultWorkerPool(), (dataset, report) -> {
                    });
            ItemReader noItems = (keys, attributes, consistent) -> Uni.createFrom().nothing();
            return new TopResource(null, gatherer,
                    new Leaderboard(new RegisteredDatasets(noItems, DATASETS,
                            System::nanoTime, Duration.ZERO, TIMEOUT, Infrastructure.getDefaultWorkerPool()), gatherer, noItems,
                            Clock.systemUTC()),
                    memory, null);
        }
    }

    /** A shard with a bucket for each of many different labels. */
    private static final class Labels implements ShardReader {

        @Override
        public Uni<ShardPage> read(Read read) {
            int from = read.after().map(after -> Integer.parseInt(after.getOrDefault("i", "0"))).orElse(0);
            int to = Math.min(LABELS, from + Math.min(1_000, read.limit()));
            return Uni.createFrom().item(() -> page(read, from, to)).runSubscriptionOn(Infrastructure.getDefaultWorkerPool());
        }

        private static ShardPage page(Read read, int from, int to) {
            List<ShardItem> items = IntStream.range(from, to).mapToObj(i -> {
                String group = "2026-11-20T10:00:00Z#a-host-with-a-long-name-" + String.format("%06d", i);
                BigDecimal number = BigDecimal.valueOf(1_000_000L + i);
                return new ShardItem(group + "#0", group, new MeasureValues(read.dataset().measures(),
                        List.of(MeasureValue.of(number), MeasureValue.of(number.negate()),
                                MeasureValue.of(number.add(BigDecimal.ONE)))));
            }).toList();
            return new ShardPage(items, to < LABELS ? Optional.of(Map.of("i", Integer.toString(to)))
                    : Optional.empty(), to - from, 0.5);
        }
    }
}
