package dev.windrow.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.ObjectMapper;

/**
 * The configuration reference is made from the code. With {@code -Dwindrow.write=true} this test writes it instead of
 * comparing.
 */
class ConfigurationPageTest {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern CHECK = Pattern.compile("(SettingRanges\\.check|\\bchecked)\\([^;]*;");
    private static final Pattern MAPPING_OR_RANGE = Pattern.compile("interface (\\w+)|@SettingRange\\(");
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

    /** A range on the page that nothing checks would be no more than a promise. */
    @Test
    void everyRangeIsChecked() throws IOException {
        StringBuilder code = new StringBuilder();
        for (String module : List.of("writer-service", "gather", "gather-service")) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/main/java"))) {
                for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
                    code.append(Files.readString(file));
                }
            }
        }
        String checked = CHECK.matcher(code).results().map(MatchResult::group).collect(Collectors.joining());

        Set<String> withRanges = new TreeSet<>();
        String mapping = "";
        for (MatchResult found : MAPPING_OR_RANGE.matcher(code).results().toList()) {
            if (found.group(1) == null) {
                withRanges.add(mapping);
            } else {
                mapping = found.group(1);
            }
        }
        assertThat(withRanges).isNotEmpty()
                .allSatisfy(name -> assertThat(checked).containsPattern("\\b" + name + "\\.class"));
    }
}
