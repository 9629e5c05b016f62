package dev.windrow.chart;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.fasterxml.jackson.databind.JsonNode;

/** The expressions of the dashboard, with its variables filled in, evaluated by promtool on what real services reported. */
final class DashboardExpressions {

    private static final Pattern SAMPLE = Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{(.*?),?\\})? ([-+.0-9eE]+)");
    private static final Pattern COUNTER = Pattern.compile(".*_(total|count|sum|bucket)");

    private final Map<String, String> byPanel = new LinkedHashMap<>();

    /**
     * What Prometheus scrapes.
     *
     * @param service name of the Service, which becomes a label
     * @param metrics the response, in Prometheus' text format
     */
    record Target(String service, String metrics) {
    }

    DashboardExpressions(Manifest dashboard) {
        for (JsonNode panel : json(dashboard).path("panels")) {
            for (JsonNode target : panel.path("targets")) {
                String filledIn = target.path("expr").asText().replace("$namespace", dashboard.namespace())
                        .replace("${release}", dashboard.name().replaceFirst("-dashboard$", ""))
                        .replace("$__rate_interval", "5m").replace("$dataset", ".*");
                byPanel.put(panel.path("id").asText() + " " + panel.path("title").asText() + " "
                        + target.path("refId").asText(), filledIn);
            }
        }
    }

    static JsonNode json(Manifest dashboard) {
        try {
            return StrictKubernetes.YAML.readTree(dashboard.tree().path("data").elements().next().asText());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Map<String, String> byPanel() {
        return byPanel;
    }

    /** What promtool says about expressions without a result; empty without promtool. Counters rise by 1 with every scrape. */
    String withoutResult(List<Target> targets) throws IOException {
        if (!Promtool.isThere()) {
            return "";
        }
        List<Map<String, String>> series = targets.stream().flatMap(target -> series(target).stream()).toList();
        List<Map<String, Object>> tests = new ArrayList<>();
        byPanel.values().forEach(expression -> tests.add(Map.of("expr", "count(" + expression + ") > bool 0",
                "eval_time", "15m", "exp_samples", List.of(Map.of("labels", "{}", "value", 1)))));
        Path file = Files.createDirectories(Path.of("target/dashboard")).resolve("test.yaml");
        StrictKubernetes.YAML.writeValue(file.toFile(), Map.of("evaluation_interval", "30s", "rule_files", List.of(), "tests",
                List.of(Map.of("interval", "30s", "input_series", series, "promql_expr_test", tests))));
        Promtool.Result result = Promtool.testRules(file);
        return result.exitCode() == 0 ? "" : result.output();
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
