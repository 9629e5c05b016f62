package dev.windrow.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.comments.CommentLine;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * values.yaml, its schema and the README know the same values and describe them in the same words. With
 * {@code -Dwindrow.write=true} the README's table is written anew instead of compared.
 */
class ValuesFileTest {

    static final JsonNode SCHEMA = read("values.schema.json");
    private static final JsonNode DEFAULTS = read("values.yaml");
    private static final String VALUES = WindrowChart.text(WindrowChart.FOLDER.resolve("values.yaml"));

    private static final Path README = WindrowChart.FOLDER.resolve("README.md");
    private static final String BEGIN = "<!-- values: made from values.yaml -->\n";
    private static final String END = "<!-- end of values -->\n";

    /** Every map of the default values that is no free map, with its schema, by its path. */
    static Map<String, JsonNode> sections() {
        Map<String, JsonNode> sections = new TreeMap<>();
        collectSections("", DEFAULTS, SCHEMA, sections);
        return sections;
    }

    private static void collectSections(String path, JsonNode values, JsonNode schema, Map<String, JsonNode> sections) {
        sections.put(path, schema);
        for (Map.Entry<String, JsonNode> entry : values.properties()) {
            JsonNode rule = schema.path("properties").path(entry.getKey());
            JsonNode resolved = rule.has("$ref") ? SCHEMA.at(rule.path("$ref").asText().substring(1)) : rule;
            if (entry.getValue().isObject() && resolved.has("properties")) {
                collectSections(path + entry.getKey() + ".", entry.getValue(), resolved, sections);
            }
        }
    }

    @Test
    void schemaAndDefaultsKnowTheSameValues() {
        Map<String, JsonNode> sections = sections();
        // parts of these are optional in Kubernetes
        sections.keySet().removeIf(section -> section.matches(".*(resources|Probe|strategy|rollingUpdate)\\."));

        assertThat(sections).hasSizeGreaterThan(25).containsKeys("writer.keda.").allSatisfy((section, schema) -> {
            JsonNode values = DEFAULTS.at(("/" + section.replace('.', '/')).replaceFirst("/$", ""));
            if (!values.isEmpty()) {
                assertThat(values.fieldNames()).toIterable()
                        .containsExactlyInAnyOrderElementsOf(() -> schema.path("properties").fieldNames());
                // a parent chart's globals are not all meant for this chart
                assertThat(schema.path("additionalProperties").asBoolean(true)).isEqualTo(section.equals("global."));
            }
        });
    }

    @Test
    void everyPropertyOfTheSchemaHasADescription() {
        Map<String, String> descriptions = new TreeMap<>();
        collectDescriptions("", SCHEMA, descriptions);

        assertThat(descriptions).hasSizeGreaterThan(200).containsKeys("/properties/writer/properties/config",
                "/$defs/dataset/properties/measures/additionalProperties/properties/type");
        assertThat(descriptions).allSatisfy((path, description) -> assertThat(description).as(path).isNotBlank());
    }

    private static void collectDescriptions(String path, JsonNode schema, Map<String, String> descriptions) {
        for (Map.Entry<String, JsonNode> entry : schema.properties()) {
            String inner = path + "/" + entry.getKey();
            if (path.endsWith("/properties") && !path.endsWith("/properties/properties")) {
                descriptions.put(inner, entry.getValue().path("description").asText());
            }
            collectDescriptions(inner, entry.getValue(), descriptions);
        }
    }

    /** Definitions that several values share describe what these have in common. */
    @Test
    void aValuesDescriptionIsItsCommentInTheValuesFile() {
        assertThat(comments(VALUES)).hasSizeGreaterThan(150).allSatisfy((path, comment) -> {
            JsonNode schema = SCHEMA.at("/properties/" + path.replace(".", "/properties/"));
            if (!schema.isMissingNode()) {
                assertThat(schema.path("description").asText()).as(path).isEqualTo(comment);
            }
        });
    }

    /** So each is rendered, checked strictly, and compared with what was rendered before. */
    @Test
    void everyValueIsInTheFileOfAShape() {
        List<JsonNode> files = Stream.of(WindrowChart.FOLDER.resolve("ci").toFile().list()).map(file -> read("ci/" + file))
                .toList();

        assertThat(comments(VALUES).keySet()).allSatisfy(
                path -> assertThat(files).anyMatch(file -> !file.at("/" + path.replace('.', '/')).isMissingNode()));
    }

    @Test
    void theReadmesTableIsThatOfTheValuesFile() throws IOException {
        String readme = Files.readString(README);
        int begin = readme.indexOf(BEGIN) + BEGIN.length();
        int end = readme.indexOf(END);
        if (Boolean.getBoolean("windrow.write")) {
            Files.writeString(README, readme.substring(0, begin) + table() + readme.substring(end));
        } else {
            assertThat(readme.substring(begin, end)).as("write it anew with -Dtest=ValuesFileTest -Dwindrow.write=true")
                    .isEqualTo(table());
        }
    }

    @Test
    void aValueWithoutACommentIsAMistake() {
        assertThatThrownBy(() -> comments("# -- Known.\na: 1\nb: 2\n")).hasMessageContaining("b: expected a comment");
    }

    private static JsonNode read(String file) {
        return StrictKubernetes.tree(WindrowChart.text(WindrowChart.FOLDER.resolve(file)));
    }

    /**
     * The comment of each documented value by its path, such as {@code writer.replicas}. A comment that begins with
     * {@code # --}
     * documents the key below it, with everything in it; each value has to be documented by itself or by a key above it.
     */
    private static Map<String, String> comments(String yaml) {
        LoaderOptions options = new LoaderOptions();
        options.setProcessComments(true);
        Map<String, String> comments = new LinkedHashMap<>();
        collectComments("", (MappingNode) new Yaml(options).compose(new StringReader(yaml)), comments);
        return comments;
    }

    private static void collectComments(String path, MappingNode values, Map<String, String> comments) {
        for (NodeTuple entry : values.getValue()) {
            String key = path + ((ScalarNode) entry.getKeyNode()).getValue();
            List<CommentLine> above = Objects.requireNonNullElse(entry.getKeyNode().getBlockComments(), List.of());
            String comment = above.stream().map(CommentLine::getValue).filter(line -> line.startsWith(" -- ")).findFirst()
                    .orElse("");
            if (!comment.isEmpty()) {
                comments.put(key, comment.substring(" -- ".length()));
            } else if (entry.getValueNode() instanceof MappingNode map && !map.getValue().isEmpty()) {
                collectComments(key + ".", map, comments);
            } else {
                throw new AssertionError(key + ": expected a comment beginning with '# --'");
            }
        }
    }

    private static String table() {
        StringBuilder text = new StringBuilder("| value | default | meaning |\n|---|---|---|\n");
        comments(VALUES).forEach((path, comment) -> text.append("| `").append(path).append("` | `")
                .append(DEFAULTS.at("/" + path.replace('.', '/'))).append("` | ").append(comment.replace("|", "\\|"))
                .append(" |\n"));
        return text.toString();
    }
}
