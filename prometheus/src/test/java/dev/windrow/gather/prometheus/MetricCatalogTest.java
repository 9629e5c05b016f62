package dev.windrow.gather.prometheus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import java.util.Set;

import org.junit.jupiter.api.Test;

import dev.windrow.base.InvalidInputException;
import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.DatasetsYaml;

class MetricCatalogTest {

    private static MetricCatalog catalog(String... datasets) {
        return new MetricCatalog(declared(datasets));
    }

    private static Datasets declared(String... datasets) {
        StringBuilder yaml = new StringBuilder("windrow:\n  datasets:\n");
        for (String dataset : datasets) {
            String[] parts = dataset.split(" ", -1);
            yaml.append("    %s: {event-type: %s, label: [%s], granularities: [minute], measures: {%s: {type: count}}}%n"
                    .formatted(parts[0], parts[0], parts[2], parts[1]));
        }
        return DatasetsYaml.parse("test", yaml.toString());
    }

    @Test
    void namesAreThoseOfDatasetAndMeasure() {
        Metrics metric = catalog("page-views all_events host,user.name,9th,__x,é").all().iterator().next();

        assertThat(metric.name()).isEqualTo("windrow_page_views_all_events");
        assertThat(metric.labels()).containsExactly("host", "user_name", "label_9th", "label___x", "_");
        assertThat(metric.measure().kind().metricType()).isEqualTo("counter");
        assertThat(metric.help()).isEqualTo("Measure all_events (count) of dataset page-views");
    }

    @Test
    void ambiguousNamesAreRefused() {
        MetricCatalog catalog = catalog("a b_c host", "a_b c host", "d e x-y,x_y", "f g host");

        assertThat(catalog.all()).extracting(Metrics::name).containsExactly("windrow_f_g");
        assertThatThrownBy(() -> catalog.selected(ExpressionParser.parseSelector("windrow_a_b_c")))
                .isInstanceOf(InvalidInputException.class).hasMessageContaining("a/b_c, a_b/c");
        assertThatThrownBy(() -> catalog.selected(ExpressionParser.parseSelector("windrow_d_e")))
                .isInstanceOf(InvalidInputException.class).hasMessageContaining("x-y, x_y");
        assertThat(catalog.selected(ExpressionParser.parseSelector("{__name__=~\"windrow_.*\"}"))).hasSize(1);
    }

    @Test
    void dashboardsLeaveAmbiguousMetricsOut() {
        GrafanaDashboard dashboards = new GrafanaDashboard(
                declared("a b_c host", "a_b c host", "d e x-y,x_y", "f g datasource"));

        for (String dataset : List.of("a", "d")) {
            assertThat(dashboards.dashboard(dataset)).containsEntry("panels", List.of());
            assertThat(dashboards.dashboard(dataset).get("templating").toString()).doesNotContain("windrow", "label_");
        }
        assertThat(dashboards.dashboard("f").toString()).contains("windrow_f_g{datasource=\"$label_datasource\"}");
    }

    /** Lets roll-ups answer dashboards in which nothing is chosen. */
    @Test
    void labelsThatMayHaveAnyValueAreNotRead() {
        Metrics metric = catalog("clicks events host,page").all().iterator().next();

        assertThat(selection(metric, "windrow_clicks_events{host=~\".*\",page=~\".*\"}").labelsUsed()).isZero();
        assertThat(selection(metric, "windrow_clicks_events{host=~\"a|.*\"}").labelsUsed()).isZero();
        assertThat(selection(metric, "windrow_clicks_events{host=~\".+\"}").labelsUsed()).isEqualTo(1);
        assertThat(selection(metric, "windrow_clicks_events{host=~\".*\",page!~\".*\"}").labelsUsed()).isEqualTo(2);
    }

    private static MetricSelection selection(Metrics metric, String selector) {
        return MetricSelection.of(metric, ExpressionParser.parseSelector(selector), Optional.of(Set.of()));
    }
}
