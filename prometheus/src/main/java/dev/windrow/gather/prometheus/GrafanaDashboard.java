package dev.windrow.gather.prometheus;

import static java.util.Objects.requireNonNullElse;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

import dev.windrow.dataset.Column;
import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Datasets;
import dev.windrow.event.TenantNames;
import dev.windrow.gather.plan.DatasetScope;
import dev.windrow.time.Granularity;
import io.smallrye.common.annotation.NonBlocking;

/** A Grafana dashboard of each dataset, on a data source of type Prometheus that reads this service. */
@Path("/api/v1/datasets/{dataset}/dashboard")
@Produces(MediaType.APPLICATION_JSON)
@NonBlocking
@Tag(name = "datasets")
public class GrafanaDashboard {

    private static final Map<String, Object> SOURCE = map("type", "prometheus", "uid", "${datasource}");
    /** The prefix of variables: a label may have the name of another variable. */
    private static final String VARIABLE = "label_";
    private static final int WIDTH = 24;
    private static final int TOTAL_WIDTH = 6;
    private static final int HEIGHT = 8;
    private static final Map<String, String> UNITS = Map.of("short", "short", "bytes", "bytes", "seconds", "s",
            "percent", "percentunit");
    /** The currencies that Grafana has a unit for. */
    private static final Set<String> CURRENCIES = Set.of("USD", "GBP", "EUR", "JPY", "RUB", "UAH", "BRL", "DKK", "ISK", "NOK",
            "SEK", "CZK", "CHF", "PLN");

    private final Datasets datasets;
    private final MetricCatalog catalog;

    GrafanaDashboard(Datasets datasets) {
        this.datasets = datasets;
        this.catalog = new MetricCatalog(datasets);
    }

    @GET
    @Operation(operationId = "dashboard", summary = "A Grafana dashboard of the dataset, to import")
    public Map<String, Object> dashboard(@PathParam("dataset") String name) {
        Dataset dataset = DatasetScope.of(datasets, name, TenantNames.DEFAULT).dataset();
        List<Shown> shown = dataset.columns().stream().map(column -> Shown.of(dataset, column))
                .filter(column -> catalog.all().containsAll(column.metrics())).toList();
        Granularity finest = finest(dataset);
        long hours = finest.equals(Granularity.FOREVER) ? 24 : Math.max(24, finest.typicalSeconds() / 60);
        return map("title", requireNonNullElse(dataset.about().title(), name), "uid",
                UUID.nameUUIDFromBytes(("windrow/" + name).getBytes(StandardCharsets.UTF_8)).toString(),
                "description", requireNonNullElse(dataset.about().description(), "Dataset " + name), "tags", List.of("windrow"),
                "timezone", "utc", "schemaVersion", 39, "version", 1, "editable", true, "refresh", "1m",
                "time", map("from", "now-" + hours + "h", "to", "now"),
                "templating", map("list", variables(dataset, shown)), "panels", panels(dataset, shown));
    }

    /** Returns the finest buckets that can be read for all labels together, or for all with the same fixed values. */
    private static Granularity finest(Dataset dataset) {
        return (dataset.index().isEmpty() ? dataset.granularities() : dataset.index()).get(0);
    }

    /** Returns how many of the label's first attributes need one fixed value: without an index, labels cannot be listed. */
    private static int fixed(Dataset dataset) {
        return dataset.index().isEmpty() ? dataset.partition() : 0;
    }

    private static List<Object> variables(Dataset dataset, List<Shown> shown) {
        List<Object> variables = new ArrayList<>();
        variables.add(map("name", "datasource", "label", "Data source", "type", "datasource", "query", "prometheus"));
        for (int i = 0; i < dataset.label().size() && !shown.isEmpty(); i++) {
            Metrics metric = shown.get(0).metrics().get(0);
            String label = metric.labels().get(i);
            Map<String, Object> variable = map("name", VARIABLE + label, "label", dataset.label().get(i));
            variable.putAll(i < fixed(dataset) ? map("type", "textbox", "query", "")
                    : map("type", "query", "datasource", SOURCE, "query",
                            "label_values(" + selector(metric, i) + ", " + label + ")", "refresh", 2, "multi", true,
                            "includeAll", true, "allValue", ".*", "current", map("text", "All", "value", "$__all")));
            variables.add(variable);
        }
        return variables;
    }

    /** Returns a metric with the chosen values of its first labels. */
    private static String selector(Metrics metric, int labels) {
        List<String> matchers = new ArrayList<>();
        for (String label : metric.labels().subList(0, labels)) {
            matchers.add(label + (matchers.size() < fixed(metric.dataset()) ? "=" : "=~") + "\"$" + VARIABLE + label + "\"");
        }
        return metric.name() + (matchers.isEmpty() ? "" : "{" + String.join(",", matchers) + "}");
    }

    /** Returns a row for each measure, with its graph and its total, and the largest labels by the first measure. */
    private static List<Object> panels(Dataset dataset, List<Shown> shown) {
        List<Object> panels = new ArrayList<>();
        int y = 0;
        for (Shown column : shown) {
            boolean hasCourse = column.metrics().stream().allMatch(metric -> column.function(metric).isPresent());
            if (hasCourse) {
                panels.add(column.course(panels.size() + 1, List.of(0, y, WIDTH - TOTAL_WIDTH)));
            }
            int x = hasCourse ? WIDTH - TOTAL_WIDTH : 0;
            panels.add(column.number(panels.size() + 1, "stat", ", total", List.of(x, y, WIDTH - x),
                    column.expression("$__range", ""), column.title()));
            y += HEIGHT;
        }
        if (!shown.isEmpty() && fixed(dataset) < dataset.label().size()) {
            Shown first = shown.get(0);
            String label = first.metrics().get(0).labels().get(fixed(dataset));
            panels.add(first.number(panels.size() + 1, "bargauge", " by " + dataset.label().get(fixed(dataset)),
                    List.of(0, y, WIDTH), "topk(10, " + first.expression("$__range", " by (" + label + ")") + ")",
                    "{{" + label + "}}"));
        }
        return panels;
    }

    /** Makes a map in this order from alternating keys and values. */
    private static Map<String, Object> map(Object... parts) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < parts.length; i += 2) {
            map.put((String) parts[i], parts[i + 1]);
        }
        return map;
    }

    /** A measure, or a ratio with the metrics of its two measures. */
    private record Shown(Column column, String title, List<Metrics> metrics, Granularity finest) {

        static Shown of(Dataset dataset, Column column) {
            Stream<Integer> places = column.isRatio() ? Stream.of(column.of(), column.to()) : Stream.of(column.of());
            return new Shown(column, requireNonNullElse(column.about().title(), column.name()),
                    places.map(place -> Metrics.of(dataset, dataset.measures().get(place))).toList(),
                    GrafanaDashboard.finest(dataset));
        }

        /** Returns the function of a window's buckets, if there is one: all-time totals and first values have none. */
        private Optional<String> function(Metrics metric) {
            return metric.measure().kind().rangeFunctions().stream().findFirst()
                    .filter(any -> !finest.equals(Granularity.FOREVER));
        }

        String expression(String window, String by) {
            return metrics.stream().map(metric -> {
                String series = selector(metric, metric.labels().size());
                return metric.measure().kind().aggregation() + by + " ("
                        + function(metric).map(name -> name + "(" + series + "[" + window + "])").orElse(series) + ")";
            }).collect(Collectors.joining(" / "));
        }

        Map<String, Object> course(int id, List<Integer> at) {
            // At least as long as any bucket, so that one starts in each interval.
            long longer = finest.compareTo(Granularity.WEEK) > 0 ? 86_400 : 0;
            String interval = finest.typicalSeconds() + longer + "s";
            boolean bars = !column.isRatio() && metrics.get(0).measure().kind().isAdditive();
            Map<String, Object> panel = panel(id, "timeseries", title, at, map("refId", "A",
                    "expr", expression("$__interval", ""), "legendFormat", title, "range", true, "interval", interval),
                    map("custom", map("drawStyle", bars ? "bars" : "line", "fillOpacity", bars ? 60 : 0)));
            panel.put("interval", interval);
            return panel;
        }

        /** Shows one number for each series, over the whole range. */
        Map<String, Object> number(int id, String type, String what, List<Integer> at, String expression, String legend) {
            Map<String, Object> panel = panel(id, type, title + what, at, map("refId", "A", "expr", expression,
                    "legendFormat", legend, "instant", true, "range", false), map());
            panel.put("options", map("reduceOptions", map("calcs", List.of("lastNotNull")), "orientation", "horizontal"));
            return panel;
        }

        private Map<String, Object> panel(int id, String type, String title, List<Integer> at,
                Map<String, Object> target, Map<String, Object> fields) {
            String unit = requireNonNullElse(column.about().unit(), "short");
            fields.put("unit", CURRENCIES.contains(unit) ? "currency" + unit : UNITS.getOrDefault(unit, "suffix:" + unit));
            target.put("datasource", SOURCE);
            return map("id", id, "type", type, "title", title, "description", requireNonNullElse(column.about().description(),
                    metrics.stream().map(Metrics::help).collect(Collectors.joining(" / "))), "datasource", SOURCE,
                    "gridPos", map("h", HEIGHT, "w", at.get(2), "x", at.get(0), "y", at.get(1)), "fieldConfig",
                    map("defaults", fields, "overrides", List.of()), "targets", List.of(target));
        }
    }
}
