package dev.windrow.quickstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OptionsTest {

    private static final String LOG = "log";
    private static final String SEED = "seed";

    @TempDir
    Path folder;

    @AfterEach
    void clear() {
        System.clearProperty(LOG);
        System.clearProperty(SEED);
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
}
