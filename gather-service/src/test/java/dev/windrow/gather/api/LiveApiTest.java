package dev.windrow.gather.api;

import static dev.windrow.gather.api.Api.ask;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

import jakarta.inject.Inject;

import org.eclipse.microprofile.config.ConfigProvider;
import org.junit.jupiter.api.Test;

import dev.windrow.dataset.Datasets;
import dev.windrow.gather.fixture.Aggregated;
import dev.windrow.gather.fixture.EmbeddedTable;
import dev.windrow.key.Label;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

@QuarkusTest
@QuarkusTestResource(EmbeddedTable.class)
class LiveApiTest {

    @Inject
    DynamoDbAsyncClient client;

    @Inject
    Datasets datasets;

    private final HttpClient http = HttpClient.newHttpClient();

    @Test
    void changedBucketsAreToldAndResumed() throws Exception {
        Instant now = Instant.now();
        Aggregated clicks = new Aggregated("live", datasets.named("clicks").orElseThrow(), new SplittableRandom(1));
        clicks.event(Label.of("a"), now, "1").event(Label.of("b"), now, "1").writeTo(client, "windrow");
        String id;
        try (Stream<String> lines = open("granularity=hour&window=2h", "")) {
            Iterator<String> events = lines.iterator();
            List<String> snapshot = List.of(data(events), data(events));
            clicks.event(Label.of("b"), now, "2").writeTo(client, "windrow");

            id = next(events, "id:");
            String changed = data(events);

            assertThat(snapshot).allMatch(data -> data.contains("\"events\":1"));
            assertThat(changed).contains("\"label\":[\"b\"]").contains("\"events\":2").contains("\"granularity\":\"hour\"");
        }
        try (Stream<String> lines = open("granularity=hour&prefix=b", id)) {
            assertThat(data(lines.iterator())).contains("\"label\":[\"b\"]");
        }
    }

    @Test
    void wrongQueriesAreProblems() {
        assertThat(ask("clicks/live", "granularity", "hour", "window", "9w").jsonPath().getString("parameter"))
                .isEqualTo("window");
        assertThat(ask("clicks/live", "granularity", "hour", "from", "now").jsonPath().getString("type"))
                .endsWith("/unknown-parameter");
        assertThat(ask("nothing/live").statusCode()).isEqualTo(404);
    }

    private Stream<String> open(String query, String lastEventId) throws IOException, InterruptedException {
        int port = ConfigProvider.getConfig().getValue("quarkus.http.test-port", Integer.class);
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://localhost:" + port
                + "/api/v1/datasets/clicks/live?tenant=live&" + query)).header("Accept", "text/event-stream");
        if (!lastEventId.isEmpty()) {
            request.header("Last-Event-ID", lastEventId);
        }
        HttpResponse<Stream<String>> response = http.send(request.build(), HttpResponse.BodyHandlers.ofLines());
        assertThat(response.statusCode()).isEqualTo(200);
        return response.body();
    }

    private static String data(Iterator<String> lines) {
        return next(lines, "data:");
    }

    private static String next(Iterator<String> lines, String field) {
        List<String> passed = new ArrayList<>();
        while (lines.hasNext()) {
            String line = lines.next();
            if (line.startsWith(field)) {
                return line.substring(field.length()).strip();
            }
            passed.add(line);
        }
        throw new AssertionError("no " + field + " in " + passed);
    }
}
