package dev.windrow.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The chart as a dependency of another chart: with a condition, under other names, and with its parent's globals. */
class SubchartTest {

    private static final String VALUES = """
            enabled: true
            aws: {region: eu-central-1}
            windrow:
              datasets:
                clicks: {event-type: click, label: [referrer], granularities: [hour], measures: {events: {type: count}}}
            gather: {authentication: {type: none}}
            """;

    @TempDir
    private Path folder;

    private WindrowChart parent;

    @BeforeEach
    void writeTheParent() {
        new WindrowChart(Path.of("src/test/resources/parent-chart")).copyTo(folder);
        new WindrowChart().copyTo(folder.resolve("charts/windrow"));
        parent = new WindrowChart(folder);
    }

    @Test
    void withoutItsConditionNothingIsRendered() throws IOException {
        assertThat(rendering("windrow: {enabled: false}\nvisits: {enabled: false}").manifests().ids())
                .containsExactly("ConfigMap/shop");
    }

    @Test
    void twoOfThemAreRenderedForTheParentsReleaseWithItsGlobalsAndKeepApart() throws IOException {
        String text = rendering("""
                global:
                  imageRegistry: mirror.example.com/all/
                  imagePullSecrets: [mirror, {name: team}]
                  storageClass: meant-for-others
                visits:
                """ + VALUES.indent(2) + """
                windrow:
                  image: {registry: registry.example.com, pullSecrets: [{name: own}, {name: team}]}
                  provision: {enabled: true}
                """ + VALUES.indent(2)).text();
        Manifests manifests = Manifests.parse(text);

        GoldenTest.compare("subchart.yaml", text);
        assertThat(manifests.all()).extracting(Manifest::id).doesNotHaveDuplicates();
        assertThat(manifests.kind("Service")).hasSize(6).allSatisfy(
                service -> assertThat(manifests.selectedBy(service.tree().at("/spec/selector"))).hasSize(1));
        assertThat(manifests.kind("Deployment")).hasSize(4).allSatisfy(deployment -> assertThat(
                manifests.selectedBy(deployment.tree().at("/spec/selector/matchLabels"))).containsExactly(deployment));
    }

    @Test
    void itsValuesAreValidatedInTheParentToo() {
        assertThatThrownBy(() -> rendering("visits: {enabled: false}\nwindrow:\n" + VALUES.indent(2) + "  replcas: 1\n").text())
                .hasMessageContaining("replcas");
    }

    /** A dependency whose condition is missing would be installed although its values say otherwise. */
    @Test
    void aMissingConditionIsReported() throws IOException {
        Path chart = folder.resolve("Chart.yaml");
        Files.writeString(chart, Files.readString(chart).replace(", condition: windrow.enabled", ""));

        assertThatThrownBy(() -> rendering("visits: {enabled: false}\nwindrow:\n" + VALUES.indent(2)
                .replace("enabled: true", "enabled: false")).text())
                .hasMessageContaining("enabled: must be true").hasMessageContaining("condition");
    }

    private WindrowChart.Rendering rendering(String values) throws IOException {
        Path file = Files.writeString(folder.resolve("given.yaml"), values);
        return parent.values(file).as("prod", "shops");
    }
}
