package dev.windrow.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.windrow.chart.WindrowChart.Release;

/** Several releases beside each other, and one release over time. */
class ReleasesTest {

    /** 53 characters, the maximum of Helm. */
    private static final String MAX_NAME = "a2345678901234567890123456789012345678901234567890123";

    @ParameterizedTest
    @CsvSource({
            "blue, green",
            "windrow, blue",
            "blue, blue-windrow",
            "windrow, windrow-windrow",
            "windrow, windrow-gather",
            "a-very-long-name-of-a-release-whose-end-tells-one, a-very-long-name-of-a-release-whose-end-tells-two" })
    void twoReleasesInANamespaceShareNoObject(String first, String second) {
        Set<String> ofFirst = full(first).ids();
        Set<String> ofSecond = full(second).ids();

        assertThat(ofFirst).isNotEmpty().doesNotContainAnyElementsOf(ofSecond);
    }

    @Test
    void selectorsOfOneReleaseSelectNothingOfAnother() {
        Manifests blue = full("blue");
        Manifests green = full("green");

        assertThat(blue.kind("Service")).isNotEmpty()
                .allSatisfy(service -> assertThat(green.selectedBy(service.tree().at("/spec/selector"))).isEmpty());
    }

    @ParameterizedTest
    @ValueSource(strings = { MAX_NAME, "windrow", "a" })
    void namesFitIntoDnsLabelsWhateverTheReleaseIsCalled(String release) {
        assertThat(full(release).all()).filteredOn(manifest -> !manifest.name().endsWith("-text"))
                .allSatisfy(manifest -> assertThat(manifest.name()).hasSizeLessThanOrEqualTo(63).matches("[a-z0-9-]+[a-z0-9]"));
    }

    /** Kubernetes refuses to change a Deployment's selector: an upgrade that changed it would fail on every cluster. */
    @Test
    void selectorsAreTheSameInEveryShapeAndVersion() {
        Map<String, Set<Map<String, String>>> selectors = new HashMap<>();
        for (String shape : List.of("minimal", "irsa", "full", "trial")) {
            for (Manifest deployment : new WindrowChart().shape(shape).manifests().kind("Deployment").toList()) {
                Map<String, String> selector = Manifest.strings(deployment.tree().at("/spec/selector/matchLabels"));
                selectors.computeIfAbsent(selector.get("app.kubernetes.io/component"), key -> new HashSet<>())
                        .add(selector);
            }
        }

        assertThat(selectors).containsOnlyKeys("writer", "gather", "local-aws");
        selectors.forEach((component, found) -> assertThat(found).containsExactly(
                Map.of("app.kubernetes.io/name", "windrow", "app.kubernetes.io/instance", "windrow",
                        "app.kubernetes.io/component", component)));
    }

    private static Manifests full(String release) {
        return new WindrowChart().shape("full").as(new Release(release, "counting")).with("fullnameOverride", "").manifests();
    }
}
