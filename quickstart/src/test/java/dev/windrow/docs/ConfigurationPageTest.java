package dev.windrow.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.ObjectMapper;

/**
 * The configuration reference is made from the code. With {@code -Dwindrow.write=true} this test writes it instead of
 * comparing.
 */
class ConfigurationPageTest {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Path PAGE = ROOT.resolve("docs/configuration.md");

    /** The only range of a setting that the chart's schema has as well; the chart has its own reasons for the others. */
    @Test
    void theChartsTableHasTheRangeOfTheSetting() throws IOException {
        String pattern = ConfigMappingSources.keys(ROOT, "writer-service").stream()
                .filter(key -> key.name().equals("windrow.table")).map(ConfigurationKey::pattern).findFirst().orElseThrow();

        assertThat(new ObjectMapper().readTree(ROOT.resolve("helm/windrow/values.schema.json").toFile())
                .at("/properties/aws/properties/table/pattern").asText()).isEqualTo("^" + pattern + "$");
    }

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
