package dev.windrow.quickstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OptionsTest {

    private static final String LOG = "log";
    private static final String SEED = "seed";
    private static final String DATASETS = "datasets";
    private static final String EVENTS = "events";
    private static final String ROOT = "windrow.root";

    @TempDir
    Path folder;

    @AfterEach
    void clear() {
        System.clearProperty(LOG);
        System.clearProperty(SEED);
        System.clearProperty(DATASETS);
        System.clearProperty(EVENTS);
        System.clearProperty(ROOT);
    }

    @BeforeEach
    void root() {
        System.setProperty(ROOT, "..");
    }

    @Test
    void optionsAreThoseOfSystemProperties() throws IOException {
        // Given
        Path log = Files.writeString(folder.resolve("access.log"), "");
        System.setProperty(LOG, log.toString());
        System.setProperty(SEED, "-42");

        // When
        Options options = Options.ofSystemProperties();

        // Then
        assertThat(options.log()).contains(log);
        assertThat(options.seed()).isEqualTo(-42);
    }

    @Test
    void aLogThatIsNoFileIsNamed() {
        for (Path log : new Path[] { folder, folder.resolve("missing.log") }) {
            System.setProperty(LOG, log.toString());

            assertThatThrownBy(Options::ofSystemProperties).isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("-Dlog=" + log + ": expected a readable file");
        }
    }

    @Test
    void aSeedThatIsNoNumberIsNamed() {
        for (String seed : new String[] { "", "true", "1.5", "99999999999999999999" }) {
            System.setProperty(SEED, seed);

            assertThatThrownBy(Options::ofSystemProperties).isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("-Dseed=" + seed + ": expected a whole number");
        }
    }

    @Test
    void ownEventsAreCountedInTheBundledDatasetsOrInOwnOnes() throws IOException {
        System.setProperty(EVENTS, Files.writeString(folder.resolve("events.ndjson"), "").toString());
        assertThat(Options.ofSystemProperties()).satisfies(options -> {
            assertThat(options.isOwn()).isTrue();
            assertThat(options.declared().named("clicks")).isPresent();
        });

        System.setProperty(DATASETS, datasets("label: [host]").toString());
        assertThat(Options.ofSystemProperties().declared().all()).singleElement()
                .satisfies(dataset -> assertThat(dataset.name()).isEqualTo("requests"));
    }

    @Test
    void wrongDatasetsAreNamedBeforeAnythingIsStarted() throws IOException {
        Path file = datasets("label: host");
        System.setProperty(DATASETS, file.toString());

        assertThatThrownBy(Options::ofSystemProperties).isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("-Ddatasets=" + file + ": ").hasMessageContaining("requests.label");
    }

    @Test
    void aLogGoesWithNothingElse() throws IOException {
        System.setProperty(LOG, Files.writeString(folder.resolve("access.log"), "").toString());
        System.setProperty(EVENTS, System.getProperty(LOG));
        assertThatThrownBy(Options::ofSystemProperties).hasMessage("-Dlog and -Devents: expected one of them");

        System.clearProperty(EVENTS);
        System.setProperty(DATASETS, datasets("label: [host]").toString());
        assertThatThrownBy(Options::ofSystemProperties).hasMessageStartingWith("-Dlog and -Ddatasets: ");
    }

    private Path datasets(String label) throws IOException {
        return Files.writeString(folder.resolve("datasets.yaml"), """
                windrow: {datasets: {requests: {event-type: request, %s, granularities: [hour], index: [hour],
                  measures: {requests: {type: count}}}}}
                """.formatted(label));
    }
}
