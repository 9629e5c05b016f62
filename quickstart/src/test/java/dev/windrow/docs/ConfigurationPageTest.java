package dev.windrow.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.ObjectMapper;

import dev.windrow.docs.ConfigMappingSources.ConfigurationKey;

/**
 * The configuration reference is made from the code. With {@code -Dwindrow.write=true} this test writes it instead of
 * comparing.
 */
class ConfigurationPageTest {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern CHECK = Pattern.compile("(SettingRanges\\.check|\\bchecked)\\([^;]*;");
    private static final Pattern MAPPING_OR_RANGE = Pattern.compile("interface (\\w+)|@SettingRange\\(");
    private static final Path PAGE = ROOT.resolve("docs/configuration.md");
    private static final String INTRODUCTION = """
            # Configuration

            <!-- Generated from the @ConfigMapping interfaces; CONTRIBUTING.md says how. -->

            Every key of both services and of the commands. A key is set by a system property (`-Dkey=value`), an environment variable or the file `config/application.properties` in the working directory; the first of these that has it wins. In the chart, `writer.config` and `gather.config` hold keys.

            - **Keys.** `windrow.*` is read by both services, `windrow.writer.*` by the writer, `windrow.gather.*` by the gatherer; the writer's commands read those of both services, `windrow.writer.queue`, `windrow.writer.dead-letter-queue`, `windrow.writer.journal.retention` and their own (`windrow.provision.*`, `windrow.check.*`, `windrow.sweep.*`), but not `windrow.writer.queues`.
            - **Durations** are a number and a unit: `50ms`, `30s`, `2m`, `1h`, `15d`. ISO 8601 (`PT30S`) is accepted too.
            - **Sizes** are bytes, with `K`, `M` or `G` for powers of 1,024: `32M`.
            - **required** means that there is no default: the service does not start without a value.

            Ports, TLS, logging, tracing and the like are Quarkus' own keys (`quarkus.*`); region, credentials and endpoints of AWS come from the environment, as for any AWS client. See [operations](operations.md).
            """;

    private static final List<String> COMMANDS = List.of("windrow.provision.", "windrow.check.", "windrow.sweep.");

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
        String page = page();

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

    /** All keys of both services and of the commands, from their sources. */
    private static String page() {
        List<ConfigurationKey> writer = new ArrayList<>(ConfigMappingSources.keys(ROOT, "writer-service"));
        List<ConfigurationKey> gather = new ArrayList<>(ConfigMappingSources.keys(ROOT, "gather", "gather-service"));
        List<ConfigurationKey> both = writer.stream().filter(gather::contains).toList();
        writer.removeAll(both);
        gather.removeAll(both);
        List<ConfigurationKey> commands = writer.stream()
                .filter(key -> COMMANDS.stream().anyMatch(prefix -> key.name().startsWith(prefix))).toList();
        writer.removeAll(commands);
        requirePrefix(both, "windrow.");
        requirePrefix(writer, "windrow.writer.");
        requirePrefix(gather, "windrow.gather.");
        return INTRODUCTION + section("Both services", both) + section("Writer", writer) + section("Gatherer", gather)
                + section("Commands of the writer's image", commands);
    }

    private static void requirePrefix(List<ConfigurationKey> keys, String prefix) {
        for (ConfigurationKey key : keys) {
            if (!key.name().startsWith(prefix)) {
                throw new AssertionError(key.name() + ": expected the prefix " + prefix
                        + ", or the same declaration in both services");
            }
        }
    }

    private static String section(String title, List<ConfigurationKey> keys) {
        StringBuilder section = new StringBuilder("\n## " + title
                + "\n\n| key, environment variable | meaning | type | default | unit and range |\n|---|---|---|---|---|\n");
        keys.forEach(key -> section.append(key.row()));
        return section.toString();
    }
}
