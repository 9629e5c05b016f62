package dev.windrow.dataset.yaml;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;

import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.InvalidDatasetsException;
import dev.windrow.dataset.Rank;

/**
 * Reads the dataset file that writer and gatherer share: YAML with the declarations under {@code windrow.datasets}. All
 * invalid fields are reported together.
 */
public final class DatasetsYaml {

    private static final ObjectMapper YAML = YAMLMapper.builder().enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
            .build();

    private DatasetsYaml() {
    }

    /**
     * Reads a file.
     *
     * @throws InvalidDatasetsException if it cannot be read, or a declaration is wrong
     */
    public static Datasets read(Path file) {
        try {
            return parse(file.toString(), Files.readString(file));
        } catch (IOException e) {
            throw new InvalidDatasetsException(file.toString(),
                    List.of("expected a readable YAML file with dataset declarations, found " + e));
        }
    }

    /**
     * Reads a text.
     *
     * @param source its name in errors
     * @throws InvalidDatasetsException if a declaration is wrong
     */
    public static Datasets parse(String source, String text) {
        JsonNode tree = tree(source, text);
        List<String> problems = new ArrayList<>(AmbiguousYaml.problems(text));
        YamlField root = new YamlField("", tree, problems);
        List<Dataset> datasets = new ArrayList<>();
        root.requireKnownFields("windrow");
        YamlField windrow = root.field("windrow");
        windrow.requireKnownFields("datasets", "ignore-types");
        for (Map.Entry<String, YamlField> declaration : windrow.field("datasets").requiredEntries().entrySet()) {
            DatasetDeclaration.read(declaration.getKey(), declaration.getValue()).ifPresent(datasets::add);
        }
        Datasets all = new Datasets(problems.isEmpty() ? datasets : List.of(),
                ignoredTypes(windrow.field("ignore-types"), datasets));
        int ranked = all.rankedMeasures().size();
        if (ranked > Rank.MAX_RANKED_MEASURES) {
            windrow.field("datasets").problem("expected ranks by at most " + Rank.MAX_RANKED_MEASURES
                    + " different measures, each of which has an index of its own, found " + ranked);
        }
        if (!problems.isEmpty()) {
            throw new InvalidDatasetsException(source, problems);
        }
        return all;
    }

    private static Set<String> ignoredTypes(YamlField field, List<Dataset> datasets) {
        Set<String> ignored = new HashSet<>();
        for (YamlField element : field.elements()) {
            element.parsed(DatasetDeclaration::shortText, "an event type").ifPresent(type -> {
                if (datasets.stream().anyMatch(dataset -> dataset.eventType().equals(type))) {
                    element.problem("expected a type that no dataset counts, found '" + type + "'");
                }
                ignored.add(type);
            });
        }
        return ignored;
    }

    private static JsonNode tree(String source, String text) {
        try {
            return YAML.readTree(text);
        } catch (JsonProcessingException e) {
            throw new InvalidDatasetsException(source, List.of("expected YAML, found at line "
                    + e.getLocation().getLineNr() + ": " + e.getOriginalMessage().lines().findFirst().orElse("")));
        }
    }
}
