package dev.windrow.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.windrow.bench.experiment.Experiment;
import dev.windrow.bench.experiment.Lab;
import dev.windrow.bench.experiment.Node;
import dev.windrow.bench.page.Found;
import dev.windrow.bench.page.Page;
import dev.windrow.bench.page.Result;
import dev.windrow.bench.page.Section;
import io.vertx.core.Vertx;
import software.amazon.awssdk.core.util.VersionInfo;

/**
 * Runs the experiments and generates the page. System properties: {@code root} (the project's folder, with all modules
 * packaged), {@code quick} (limits the run to a few minutes), {@code page} (only generates the page from the last result file),
 * {@code only} (sections to run, separated by commas), {@code seed}. The names are those of the profile; an empty value means
 * yes.
 */
public final class Bench {

    private static final String LATEST = "bench/results/latest.json";
    private static final String SEED = "20261120";

    private Bench() {
    }

    public static void main(String[] args) {
        Path root = Path.of(System.getProperty("root", "."));
        Path latest = root.resolve(LATEST);
        if (isSet("page")) {
            Page.write(Result.read(latest), LATEST, root.resolve("docs"));
            return;
        }
        Path target = root.resolve("bench/target");
        Path partial = target.resolve("results/partial.json");
        Vertx vertx = Vertx.vertx();
        Result result;
        boolean kept;
        try {
            Lab lab = new Lab(root, target.resolve("bench"), isSet("quick"), Long.parseLong(property("seed", SEED)), vertx);
            result = run(lab, partial);
            // Only a full run of all experiments is kept and published; other results go to the build folder.
            kept = !lab.quick() && result.sections().size() == Experiment.all().size();
        } finally {
            vertx.close().toCompletionStage().toCompletableFuture().join();
        }
        Path file = kept ? latest : partial;
        Path docs = kept ? root.resolve("docs") : target.resolve("docs");
        result.write(file);
        Page.write(result, kept ? LATEST : "results/partial.json", docs);
        System.out.println("Results: " + file + "\nPage:    " + docs.resolve("benchmarks.md"));
    }

    private static boolean isSet(String property) {
        return !System.getProperty(property, "no").equals("no");
    }

    private static String property(String name, String otherwise) {
        String value = System.getProperty(name, "");
        return value.isEmpty() ? otherwise : value;
    }

    private static Result run(Lab lab, Path partial) {
        Map<String, String> environment = environment(lab);
        List<String> only = List.of(property("only", "").split(",", -1));
        List<Section> sections = new ArrayList<>();
        Experiment.all().forEach((id, experiment) -> {
            if (only.contains("") || only.contains(id)) {
                sections.add(run(lab, id, experiment));
                // Keeps the results so far if the run fails later.
                new Result(environment, sections).write(partial);
            }
        });
        return new Result(environment, List.copyOf(sections));
    }

    private static Section run(Lab lab, String id, Experiment experiment) {
        Instant begin = Instant.now();
        String before = loadAverage();
        System.out.println(id + " ...");
        Found found = experiment.run(lab);
        System.out.println("  took " + ChronoUnit.SECONDS.between(begin, Instant.now()) + " s");
        return Section.of(id, found, begin.truncatedTo(ChronoUnit.SECONDS) + " on " + processor()
                + "; load average (1, 5, 15 minutes) before " + before + ", after " + loadAverage());
    }

    /** Returns the conditions of a run: date, machine, versions, seed. */
    private static Map<String, String> environment(Lab lab) {
        Map<String, String> run = new LinkedHashMap<>();
        run.put("date", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
        run.put("processor", processor());
        run.put("memory", line(Path.of("/proc/meminfo"), "MemTotal"));
        run.put("system", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        run.put("Java", System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"));
        run.put("AWS SDK", VersionInfo.SDK_VERSION);
        run.put("Node.js", Node.version());
        run.put("seed", Long.toString(lab.seed()));
        run.put("run", lab.quick() ? "quick" : "full");
        return run;
    }

    private static String processor() {
        return line(Path.of("/proc/cpuinfo"), "model name") + ", " + Runtime.getRuntime().availableProcessors() + " cores";
    }

    private static String loadAverage() {
        return line(Path.of("/proc/loadavg"), "").replaceFirst("( \\S+){2}$", "").replace(" ", ", ");
    }

    private static String line(Path file, String name) {
        try {
            return Files.readAllLines(file).stream().filter(line -> line.startsWith(name)).findFirst()
                    .map(line -> line.substring(line.indexOf(':') + 1).strip()).orElse("unknown");
        } catch (IOException e) {
            return "unknown";
        }
    }
}
