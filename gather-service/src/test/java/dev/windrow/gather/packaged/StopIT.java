package dev.windrow.gather.packaged;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.windrow.dataset.DatasetsYaml;
import dev.windrow.gather.testing.Aggregated;
import dev.windrow.local.LocalAws;
import dev.windrow.local.LocalAwsOptions;
import dev.windrow.table.Label;
import dev.windrow.testing.Patience;

/** A gatherer stopped by SIGTERM, as by an orchestrator. */
@Tag("slow")
class StopIT {

    private static final Path JAR = Path.of("target", "quarkus-app", "quarkus-run.jar");
    private static final Path DATASETS = Path.of("src/test/resources/datasets.yaml").toAbsolutePath();
    private static final Pattern LISTENING = Pattern
            .compile("Listening on: (http://[^\\s/]+:\\d+)\\. Management interface listening on (http://[^\\s/]+:\\d+)");

    private final HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @TempDir
    Path folder;

    private Process gatherer;

    @AfterEach
    void kill() {
        gatherer.destroyForcibly();
    }

    @Test
    void liveStreamsEndAndSoDoesTheProcess() throws Exception {
        // Given
        try (LocalAws aws = LocalAws.start(LocalAwsOptions.forTests())) {
            new Aggregated("default", DatasetsYaml.read(DATASETS).named("clicks").orElseThrow(), new SplittableRandom(1))
                    .event(Label.of("a"), Instant.now(), "1").writeTo(aws.dynamoDb(), aws.tableName());
            Path log = folder.resolve("gatherer.log");
            gatherer = new ProcessBuilder(command(aws)).redirectErrorStream(true).redirectOutput(log.toFile()).start();
            try (Stream<String> stream = live(awaitReady(log))) {
                Iterator<String> lines = stream.iterator();
                String first = lines.next();

                // When
                gatherer.toHandle().destroy();

                // Then
                assertThat(first).isNotBlank();
                lines.forEachRemaining(line -> {
                });
                assertThat(gatherer.waitFor(Patience.LIMIT.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
                assertThat(gatherer.exitValue()).as("128 and the number of the signal").isEqualTo(143);
                assertThat(Files.readString(log)).doesNotContain("graceful shutdown", "ERROR");
            }
        }
    }

    private static List<String> command(LocalAws aws) {
        Optional<String> executable = Optional.ofNullable(System.getProperty("native.image.path"));
        List<String> command = new ArrayList<>(List.of(executable
                .orElseGet(() -> Path.of(System.getProperty("java.home"), "bin", "java").toString())));
        settings(aws).forEach((name, value) -> command.add("-D" + name + "=" + value));
        if (executable.isEmpty()) {
            command.addAll(List.of("-jar", JAR.toString()));
        }
        return command;
    }

    private static Map<String, String> settings(LocalAws aws) {
        return Map.of("quarkus.http.port", "0", "quarkus.management.port", "0",
                "windrow.datasets-file", DATASETS.toString(),
                "quarkus.dynamodb.endpoint-override", aws.dynamoDbEndpoint().toString(),
                "quarkus.dynamodb.aws.region", "us-east-1",
                "quarkus.dynamodb.aws.credentials.type", "static",
                "quarkus.dynamodb.aws.credentials.static-provider.access-key-id", "windrow",
                "quarkus.dynamodb.aws.credentials.static-provider.secret-access-key", "windrow");
    }

    private URI awaitReady(Path log) {
        return await().atMost(Patience.LIMIT).until(() -> {
            assertThat(gatherer.isAlive()).as(Files.readString(log)).isTrue();
            Matcher listening = LISTENING.matcher(Files.readString(log));
            return listening.find() && isReady(URI.create(listening.group(2))) ? Optional.of(URI.create(listening.group(1)))
                    : Optional.<URI> empty();
        }, Optional::isPresent).orElseThrow();
    }

    private boolean isReady(URI management) {
        try {
            return http.send(HttpRequest.newBuilder(management.resolve("/q/health/ready")).build(),
                    HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException notYet) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private Stream<String> live(URI base) throws IOException, InterruptedException {
        return http.send(HttpRequest.newBuilder(base.resolve("/api/v1/datasets/clicks/live?granularity=hour"))
                .header("Accept", "text/event-stream").build(), HttpResponse.BodyHandlers.ofLines()).body();
    }
}
