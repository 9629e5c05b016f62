package dev.windrow.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;

import dev.windrow.bench.experiment.Lab;
import dev.windrow.bench.experiment.Node;
import software.amazon.awssdk.core.util.VersionInfo;

/** What a run depends on: date, machine, versions, seed. */
final class Environment {

    private Environment() {
    }

    static Map<String, String> describe(Lab lab) {
        Map<String, String> run = new LinkedHashMap<>();
        run.put("date", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
        run.put("processor", processor());
        run.put("memory", line(Path.of("/proc/meminfo"), "MemTotal"));
        run.put("system", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        run.put("Java", System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"));
        run.put("AWS SDK", VersionInfo.SDK_VERSION);
        run.put("Node.js", Node.version());
        run.put("seed", Long.toString(lab.seed()));
        run.put("run", lab.quick() ? "quick" : "full, unless a section says otherwise");
        return run;
    }

    static String processor() {
        return line(Path.of("/proc/cpuinfo"), "model name") + ", " + Runtime.getRuntime().availableProcessors() + " cores";
    }

    static String loadAverage() {
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
