package dev.windrow.bench.experiment;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

import dev.windrow.bench.page.Section;
import dev.windrow.bench.page.Section.Table;

/** The hot pure parts alone, with what they allocate. */
final class Micro implements Experiment {

    @Override
    public String id() {
        return "micro";
    }

    @Override
    public Section run(Lab lab) {
        List<List<Object>> rows = new ArrayList<>();
        for (RunResult result : results(lab)) {
            String name = result.getParams().getBenchmark();
            rows.add(List.of(name.substring("dev.windrow.bench.micro.".length()), result.getPrimaryResult().getScore(),
                    result.getPrimaryResult().getScoreError(), allocated(result.getSecondaryResults())));
        }
        return new Section(id(), "Microbenchmarks", """
                JMH, average time of one operation on one thread, and what it allocates (`-prof gc`). The messages hold 1 or
                100 events of 200 referrers; the merge takes 1,000 buckets of 100 shards.
                """, List.of(new Table("", List.of("operation", "µs", "± µs (99.9%)", "bytes allocated"), rows)), List.of(),
                List.of());
    }

    private static Collection<RunResult> results(Lab lab) {
        try {
            return new Runner(new OptionsBuilder().include("dev\\.windrow\\.bench\\.micro\\..*").forks(1)
                    .warmupIterations(3).warmupTime(TimeValue.milliseconds(lab.amount(1_000)))
                    .measurementIterations(5).measurementTime(TimeValue.milliseconds(lab.amount(1_000)))
                    .addProfiler(GCProfiler.class).output(lab.log("jmh").toString()).build()).run();
        } catch (RunnerException e) {
            throw new IllegalStateException(e);
        }
    }

    @SuppressWarnings("rawtypes")
    private static Object allocated(Map<String, Result> results) {
        for (Map.Entry<String, Result> each : results.entrySet()) {
            if (each.getKey().endsWith("gc.alloc.rate.norm")) {
                return each.getValue().getScore();
            }
        }
        return "";
    }
}
