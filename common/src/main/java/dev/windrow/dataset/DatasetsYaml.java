package dev.windrow.dataset;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;

import dev.windrow.event.EventForm;

/**
 * Reads the dataset file that writer and gatherer share: YAML with the declarations under {@code windrow.datasets}. All invalid
 * fields are reported together.
 */
public final class DatasetsYaml {

    private static final ObjectMapper YAML = YAMLMapper.builder().enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();

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
            throw new InvalidDatasetsException(file.toString(), List.of("cannot read this file of dataset declarations: " + e));
        }
    }

    /**
     * Reads a text.
     *
     * @throws InvalidDatasetsException if a declaration is wrong
     */
    public static Datasets parse(String source, String text) {
        JsonNode tree = tree(source, text);
        List<String> problems = new ArrayList<>(AmbiguousYaml.problems(text));
        YamlField root = new YamlField("", tree, problems);
        List<Dataset> datasets = new ArrayList<>();
        root.requireKnownFields("windrow");
        YamlField windrow = root.field("windrow");
        windrow.requireKnownFields("datasets", "ignore-types", "events");
        windrow.field("datasets").requiredEntries()
                .forEach((name, field) -> new DatasetDeclaration(name, field).read().ifPresent(datasets::add));
        Set<String> ignored = ignoredTypes(windrow.field("ignore-types"), datasets);
        List<EventForm> forms = EventFormDeclaration.read(windrow.field("events"), type -> ignored.contains(type)
                || ignored.contains(Datasets.ANY_TYPE)
                || datasets.stream().anyMatch(dataset -> dataset.eventType().equals(type)));
        Datasets all = new Datasets(problems.isEmpty() ? datasets : List.of(), ignored, forms);
        int ranked = all.rankedMeasures().size();
        if (ranked > Rank.MAX_RANKED_MEASURES) {
            windrow.field("datasets").problem("at most " + Rank.MAX_RANKED_MEASURES
                    + " different measures can have ranks, as each has an index of its own, found " + ranked);
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
                    element.problem("a dataset counts type '" + type + "', so it cannot be ignored as well");
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
            throw new InvalidDatasetsException(source, List.of("not valid YAML, at line "
                    + e.getLocation().getLineNr() + ": " + e.getOriginalMessage().lines().findFirst().orElse("")));
        }
    }

    /**
     * Finds values that YAML parsers interpret differently, so that a file would mean one thing here and another after it has
     * passed through Helm.
     *
     * <ul>
     * <li>Words that YAML 1.1 takes for booleans unless they are quoted (YAML 1.1, "bool" type): {@code n} would become
     * {@code false}. Except in a few fields, each is a name that lacks its quotes.
     * <li>Names that look like numbers and would be spelled differently once parsed as numbers: {@code 1.10} would become
     * {@code 1.1}, {@code 0x10} would become {@code 16}. Whole decimal numbers are unaffected.
     * <li>Numbers that are not written as in JSON: {@code 010} would be 8 or 10, {@code 1:30} would be 90 or text.
     * <li>Aliases: the parser used here does not expand them.
     * </ul>
     */
    static final class AmbiguousYaml {

        private static final Set<String> BOOLEANS = Set.of("y", "yes", "n", "no", "on", "off", "true", "false");

        private static final Set<String> PLAIN_BOOLEANS = Set.of("true", "false");
        /** Fields of conditions, with the name or path of what they are about. */
        private static final String CONDITION = "(windrow>events>#>when|windrow>datasets>[^>]+>(measures>[^>]+>)?where)>[^>]+";
        private static final Pattern FLAG = Pattern
                .compile("windrow>datasets>[^>]+>measures>[^>]+>required|" + CONDITION + ">exists");
        /** Values that events are compared with, or take: a boolean stands for its spelling, as a label. */
        private static final Pattern COMPARED = Pattern
                .compile(CONDITION + "(>#|>prefix)?|windrow>events>#>attributes>[^>]+>(default|absent>#)");
        private static final Pattern NUMBER = Pattern
                .compile("windrow>datasets>[^>]+>(key-shards|partition|(scatter|rank)>#>width|"
                        + "scatter>#>from|measures>[^>]+>(decimals|floor))|" + CONDITION + ">(from|below)"
                        + "|windrow>events>#>attributes>[^>]+>factor");

        private static final Pattern JSON_NUMBER = Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?");
        private static final Pattern WHOLE_DECIMAL = Pattern.compile("0|-?[1-9][0-9]*");

        /** Numbers to parsers other than YAML 1.1's: YAML 1.2's octals, and the forms that Go's parser accepts. */
        private static final Pattern NUMBER_ELSEWHERE = Pattern
                .compile("[-+]?0([0-9_]+|[xX][0-9a-fA-F_]+|[oO][0-7_]+|[bB][01_]+)");

        private final List<String> problems = new ArrayList<>();
        private final Set<Node> seen = Collections.newSetFromMap(new IdentityHashMap<>());

        /**
         * Returns one problem, with its path, for each ambiguous value.
         *
         * @param text well-formed YAML
         */
        static List<String> problems(String text) {
            Node root;
            try {
                root = new Yaml(new LoaderOptions()).compose(new StringReader(text));
            } catch (YAMLException e) {
                // Well-formed, but it cannot be composed, such as an undefined alias.
                return List.of("the file: expected one YAML document without aliases: "
                        + String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
            }
            AmbiguousYaml yaml = new AmbiguousYaml();
            yaml.visit("", "", root);
            return yaml.problems;
        }

        /**
         * @param path for people
         * @param place the names that lead to the node, each with {@code >} before it but the first, {@code #} for an element
         */
        private void visit(String path, String place, @Nullable Node node) {
            if (node == null) {
                return; // an empty file
            }
            if (!seen.add(node)) {
                problems.add(path + ": aliases are not supported: repeat the value");
            } else if (node instanceof ScalarNode scalar) {
                require(path, place, scalar);
            } else if (node instanceof SequenceNode list) {
                for (int i = 0; i < list.getValue().size(); i++) {
                    visit(path + "[" + i + "]", place + ">#", list.getValue().get(i));
                }
            } else if (node instanceof MappingNode mapping) {
                mapping.getValue().forEach(entry -> visit(path, place, entry));
            }
        }

        private void visit(String path, String place, NodeTuple entry) {
            String name = entry.getKeyNode() instanceof ScalarNode key ? key.getValue() : "?";
            String field = path.isEmpty() ? name : path + "." + name;
            String there = (place.isEmpty() ? "" : place + ">") + name.replace('>', '?');
            visit(field, "", entry.getKeyNode());
            visit(field, there, entry.getValueNode());
        }

        private void require(String path, String place, ScalarNode scalar) {
            String text = scalar.getValue();
            if (scalar.getScalarStyle() != ScalarStyle.PLAIN && scalar.getTag().equals(Tag.STR)) {
                return;
            }
            if (BOOLEANS.contains(text.toLowerCase(Locale.ROOT))) {
                boolean isFlag = FLAG.matcher(place).matches();
                boolean isCompared = COMPARED.matcher(place).matches();
                if (isFlag && !PLAIN_BOOLEANS.contains(text)) {
                    problems.add(path + ": expected true or false, found " + text);
                } else if (isCompared && !PLAIN_BOOLEANS.contains(text)) {
                    problems.add(path + ": expected text, found " + text + ", which YAML takes for a boolean: write true or "
                            + "false, or quote the text, as in \"" + text + "\"");
                } else if (!isFlag && !isCompared) {
                    addProblem(path, scalar, "boolean");
                }
            } else if (isNumber(scalar)) {
                if (!NUMBER.matcher(place).matches()) {
                    if (!WHOLE_DECIMAL.matcher(text).matches()) {
                        addProblem(path, scalar, "number");
                    }
                } else if (!JSON_NUMBER.matcher(text).matches()) {
                    problems.add(path + ": expected a number in plain digits such as 10 or 0.5, found " + text
                            + ", which readers of YAML take for different ones");
                }
            }
        }

        /** Whether some reader of YAML takes a value for a number. */
        private static boolean isNumber(ScalarNode scalar) {
            Tag type = scalar.getTag();
            return type.equals(Tag.FLOAT) || type.equals(Tag.INT) || NUMBER_ELSEWHERE.matcher(scalar.getValue()).matches();
        }

        private void addProblem(String path, ScalarNode scalar, String type) {
            String word = scalar.getValue();
            problems.add(path + ": expected text, found " + word + ", which YAML takes for a " + type
                    + ": quote the name, as in \"" + word + "\"");
        }
    }
}
