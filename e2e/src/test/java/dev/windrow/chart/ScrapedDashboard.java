package dev.windrow.chart;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The expressions of the dashboard, evaluated by promtool on what real services reported. */
final class ScrapedDashboard {

    private static final Pattern SAMPLE = Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{(.*?),?\\})? ([-+.0-9eE]+)");
    private static final Pattern COUNTER = Pattern.compile(".*_(total|count|sum|bucket)");

    /**
     * What Prometheus scrapes.
     *
     * @param service name of the Service, which becomes a label
     * @param metrics the response, in Prometheus' text format
     */
    record Target(String service, String metrics) {
    }

    private ScrapedDashboard() {
    }

    /** Asks promtool, where it is found, whether every expression has a result. Counters rise by 1 with every scrape. */
    static void assertResults(Manifest dashboard, List<Target> targets) throws IOException, InterruptedException {
        Optional<Tool> promtool = Tool.named("promtool");
        if (promtool.isEmpty()) {
            return;
        }
        List<Map<String, String>> series = targets.stream().flatMap(target -> series(target).stream()).toList();
        List<Map<String, Object>> tests = new ArrayList<>();
        MonitoringTest.expressions(dashboard).values()
                .forEach(expression -> tests.add(Map.of("expr", "count(" + expression + ") > bool 0",
                        "eval_time", "15m", "exp_samples", List.of(Map.of("labels", "{}", "value", 1)))));
        Path file = Files.createDirectories(Path.of("target/dashboard")).resolve("test.yaml");
        StrictKubernetes.YAML.writeValue(file.toFile(), Map.of("evaluation_interval", "30s", "rule_files", List.of(), "tests",
                List.of(Map.of("interval", "30s", "input_series", series, "promql_expr_test", tests))));
        promtool.get().run(file.getParent(), "test", "rules", "test.yaml");
    }

    private static List<Map<String, String>> series(Target target) {
        List<Map<String, String>> series = new ArrayList<>(List.of(Map.of("series", "up{" + labels(target) + "}", "values",
                "1x40")));
        target.metrics().lines().filter(line -> !line.startsWith("#")).forEach(line -> {
            Matcher sample = SAMPLE.matcher(line);
            if (sample.matches()) {
                String own = sample.group(2) == null ? "" : "," + sample.group(2);
                series.add(Map.of("series", sample.group(1) + "{" + labels(target) + own + "}", "values",
                        new BigDecimal(sample.group(3)).toPlainString()
                                + (COUNTER.matcher(sample.group(1)).matches() ? "+1x40" : "x40")));
            }
        });
        return series;
    }

    private static String labels(Target target) {
        return "namespace=\"counting\",service=\"%s\",pod=\"%s-0\",instance=\"%s:9000\"".formatted(target.service(),
                target.service(), target.service());
    }
}
