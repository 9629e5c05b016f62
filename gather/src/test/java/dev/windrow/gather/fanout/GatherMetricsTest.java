package dev.windrow.gather.fanout;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Objects;

import org.junit.jupiter.api.Test;

import dev.windrow.base.FailureCause;
import dev.windrow.base.Reason;
import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.DatasetsYaml;
import dev.windrow.gather.plan.QueryOptions;
import dev.windrow.gather.read.FakeShards;
import dev.windrow.gather.read.GatherException;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

class GatherMetricsTest {

    private static final Datasets DATASETS = DatasetsYaml.parse("test", """
            windrow:
              datasets:
                clicks: {event-type: click, label: [host], granularities: [minute], index: [minute],
                  measures: {events: {type: count}}}
                views: {event-type: view, label: [host], granularities: [minute], index: [minute],
                  measures: {events: {type: count}}}
            """);

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    /** Prometheus sees an increase only of a counter that existed before. */
    @Test
    void everyReasonOfAFailedReadIsThereAtZeroBeforeAnythingHappened() {
        ReadMetrics metrics = new ReadMetrics(registry, DATASETS);

        assertThat(registry.find("windrow.gather.read.failures").counters())
                .extracting(counter -> counter.getId().getTag("reason"))
                .containsExactlyInAnyOrderElementsOf(Reason.of(FailureCause.WORLD).stream().map(Reason::word).toList());
        assertThat(registry.find("windrow.gather.read.failures").counters()).extracting(Counter::count).containsOnly(0.0);
        metrics.failed(new GatherException(Reason.THROTTLED, "too fast"));
        assertThat(registry.get("windrow.gather.read.failures").tag("reason", "throttled").counter().count()).isEqualTo(1);
    }

    @Test
    void everyDatasetIsThereAtZeroAndIsCountedByItself() {
        ReadMetrics metrics = new ReadMetrics(registry, DATASETS);
        assertThat(registry.getMeters().stream().filter(meter -> meter.getId().getTag("dataset") != null))
                .extracting(meter -> meter.getId().getName() + " " + meter.getId().getTag("dataset")
                        + Objects.requireNonNullElse(meter.getId().getTag("complete"), ""))
                .containsExactlyInAnyOrder("windrow.gather.answers clickstrue", "windrow.gather.answers clicksfalse",
                        "windrow.gather.answers viewstrue", "windrow.gather.answers viewsfalse",
                        "windrow.gather.items clicks", "windrow.gather.items views", "windrow.gather.read.units clicks",
                        "windrow.gather.read.units views");
        Dataset views = DATASETS.named("views").orElseThrow();
        FakeShards shards = new FakeShards(2, 10);

        metrics.read(views, Duration.ofMillis(5).toNanos(), shards.firstPage(0, 3));
        GatherReport report = new GatherReport(new QueryOptions(Duration.ofSeconds(1), true, false, false),
                shards.request(1, true).plan());
        metrics.ended(views, report);
        report.failed(shards.request(1, true).plan().stages().get(0).shards().get(0), Reason.THROTTLED);
        metrics.ended(views, report);

        assertThat(counted("windrow.gather.items", "views")).isEqualTo(3);
        assertThat(counted("windrow.gather.read.units", "views")).isEqualTo(0.5);
        assertThat(counted("windrow.gather.answers", "views", "complete", "true")).isEqualTo(1);
        assertThat(counted("windrow.gather.answers", "views", "complete", "false")).isEqualTo(1);
        assertThat(registry.get("windrow.gather.incomplete.answers").tag("reason", "throttled").counter().count())
                .isEqualTo(1);
        assertThat(registry.find("windrow.gather.items").tag("dataset", "clicks").counters()).extracting(Counter::count)
                .containsExactly(0.0);
    }

    private double counted(String name, String dataset, String... tags) {
        return registry.get(name).tag("dataset", dataset).tags(tags).counter().count();
    }
}
