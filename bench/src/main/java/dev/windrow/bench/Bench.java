package dev.windrow.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.windrow.bench.experiment.Experiment;
import dev.windrow.bench.experiment.Lab;
import dev.windrow.bench.page.Page;
import dev.windrow.bench.page.Result;
import dev.windrow.bench.page.Section;
import io.vertx.core.Vertx;

/** Runs the experiments and makes the page. */
public final class Bench {

    private static final String LATEST = "bench/results/latest.json";

    private Bench() {
    }

    /** @param args see {@link Options} */
    public static void main(String[] args) {
        Options options = Options.parse(args);
        Path latest = options.root().resolve(LATEST);
        if (options.pageOnly()) {
            Page.write(Result.read(latest), LATEST, options.root().resolve("docs"));
            return;
        }
        Path target = options.root().resolve("bench/target");
        Vertx vertx = Vertx.vertx();
        // What is kept and shown is measured in full; a quick run is looked at and thrown away.
        Path partial = target.resolve("results/partial.json");
        Path file = options.quick() ? partial : latest;
        Path docs = options.quick() ? target.resolve("docs") : options.root().resolve("docs");
        Result result;
        try {
            Lab lab = new Lab(options.root(), target.resolve("bench"), options.quick(), options.seed(), vertx);
            result = run(options, lab, partial);
        } finally {
            vertx.close().toCompletionStage().toCompletableFuture().join();
        }
        if (!options.quick() && Files.exists(latest)) {
            result = result.over(Result.read(latest), Experiment.all().stream().map(Experiment::id).toList());
        }
        result.write(file);
        Page.write(result, options.quick() ? "results/partial.json" : LATEST, docs);
        System.out.println("Results: " + file + "\nPage:    " + docs.resolve("benchmarks.md"));
    }

    private static Result run(Options options, Lab lab, Path partial) {
        Map<String, String> environment = Environment.describe(options);
        List<Section> sections = new ArrayList<>();
        for (Experiment experiment : Experiment.all()) {
            if (options.wants(experiment.id())) {
                Instant begin = Instant.now();
                System.out.println(experiment.id() + " ...");
                String before = Environment.loadAverage();
                Section section = experiment.run(lab);
                sections.add(
                        section.measured(begin.truncatedTo(ChronoUnit.SECONDS) + "; load average (1, 5, 15 minutes) before "
                                + before + ", after " + Environment.loadAverage()));
                System.out.println("  took " + ChronoUnit.SECONDS.between(begin, Instant.now()) + " s");
                // A run that fails later keeps its results so far.
                new Result(environment, sections).write(partial);
            }
        }
        return new Result(environment, List.copyOf(sections));
    }
}
