package dev.windrow.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;

/**
 * The configuration reference is made from the code. With {@code -Dwindrow.write=true} this test writes it instead of
 * comparing.
 */
class ConfigurationPageTest {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Path PAGE = ROOT.resolve("docs/configuration.md");

    @Test
    void thePageIsThatOfTheCode() throws IOException {
        String page = ConfigurationPage.of(ROOT);

        if (Boolean.getBoolean("windrow.write")) {
            Files.writeString(PAGE, page);
        } else {
            assertThat(Files.readString(PAGE)).as("regenerate it with -Dtest=ConfigurationPageTest -Dwindrow.write=true")
                    .isEqualTo(page);
        }
    }
}
