package dev.windrow.writer.operate;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.windrow.writer.operate.OperationRoutes.RequestTagFilter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;

class RequestTagFilterTest {

    private final RequestTagFilter filter = new RequestTagFilter();

    @ParameterizedTest
    @CsvSource({
            "POST, /manage/dead-letters/replay, POST, /manage/dead-letters/replay",
            "GET, NOT_FOUND, GET, NOT_FOUND",
            "MADEUP, NOT_FOUND, OTHER, NOT_FOUND",
            "GET, /x17, GET, UNKNOWN",
    })
    void whatAClientMadeUpIsOneValue(String method, String uri, String keptMethod, String keptUri) {
        // When
        Meter.Id kept = filter.map(id("http.server.requests", method, uri));

        // Then
        assertThat(kept).isEqualTo(id("http.server.requests", keptMethod, keptUri));
    }

    @Test
    void otherMetersKeepTheirTags() {
        Meter.Id id = id("http.client.requests", "MADEUP", "/x17");

        assertThat(filter.map(id)).isSameAs(id);
    }

    private static Meter.Id id(String name, String method, String uri) {
        return new Meter.Id(name, Tags.of("method", method, "uri", uri, "status", "404"), null, null, Meter.Type.TIMER);
    }
}
