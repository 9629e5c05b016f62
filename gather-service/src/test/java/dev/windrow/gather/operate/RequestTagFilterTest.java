package dev.windrow.gather.operate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import jakarta.ws.rs.Path;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;

class RequestTagFilterTest {

    private final MeterFilters filter = new MeterFilters();

    @ParameterizedTest
    @CsvSource({
            "GET, /api/v1/datasets/{dataset}/totals, GET, /api/v1/datasets/{dataset}/totals",
            "PATCH, NOT_FOUND, PATCH, NOT_FOUND",
            "GET, root, GET, root",
            "get, NOT_FOUND, OTHER, NOT_FOUND",
            "MADEUP, /api/v1/datasets/clicks/totals, OTHER, /api/other",
            "OPTIONS, /api/v1/datasets/x17/top, OPTIONS, /api/other",
            "GET, /page/0123abcd/main.js, GET, /page/{file}",
            "GET, /x17;, GET, UNKNOWN",
    })
    void whatAClientMadeUpIsOneValue(String method, String uri, String keptMethod, String keptUri) {
        // Given
        Meter.Id id = id("http.server.requests", method, uri);

        // When
        Meter.Id kept = filter.map(id);

        // Then
        assertThat(kept).isEqualTo(id("http.server.requests", keptMethod, keptUri));
    }

    @Test
    void otherMetersKeepTheirTags() {
        Meter.Id id = id("http.client.requests", "MADEUP", "/x17");

        assertThat(filter.map(id)).isSameAs(id);
    }

    @Test
    @Tag("prometheus")
    void everyResourceIsMeasuredByItsTemplate() {
        // Given
        List<String> templates = new ClassFileImporter().withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages("dev.windrow.gather").stream().map(JavaClass::reflect)
                .filter(type -> type.isAnnotationPresent(Path.class)).flatMap(RequestTagFilterTest::templates).toList();

        // When
        List<String> kept = templates.stream()
                .map(template -> filter.map(id("http.server.requests", "GET", template)).getTag("uri")).toList();

        // Then
        assertThat(templates).contains("/api/v1/datasets", "/api/v1/prometheus/api/v1/query_range");
        assertThat(kept).isEqualTo(templates);
    }

    private static Stream<String> templates(Class<?> resource) {
        String root = resource.getAnnotation(Path.class).value();
        List<String> below = Arrays.stream(resource.getDeclaredMethods())
                .filter(method -> method.isAnnotationPresent(Path.class))
                .map(method -> root + "/" + method.getAnnotation(Path.class).value()).distinct().toList();
        return below.isEmpty() ? Stream.of(root) : below.stream();
    }

    private static Meter.Id id(String name, String method, String uri) {
        return new Meter.Id(name, Tags.of("method", method, "uri", uri, "status", "400"), null, null, Meter.Type.TIMER);
    }
}
