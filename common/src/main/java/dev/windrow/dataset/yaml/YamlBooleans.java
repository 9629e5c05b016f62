package dev.windrow.dataset.yaml;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/**
 * Finds words that YAML 1.1 takes for booleans unless they are quoted (YAML 1.1, "bool" type). No field of the file is a
 * boolean, so each is a name that lost its quotes. Readers differ in what they make of one: a file that means {@code n} here
 * would mean {@code false} once it has passed through Helm, and be counted under that name.
 */
final class YamlBooleans {

    private static final Set<String> WORDS = Set.of("y", "yes", "n", "no", "on", "off", "true", "false");

    private final List<String> problems = new ArrayList<>();
    private final Set<Node> seen = Collections.newSetFromMap(new IdentityHashMap<>());

    private YamlBooleans() {
    }

    /**
     * One problem for each such word, with its path.
     *
     * @param text well-formed YAML
     */
    static List<String> problems(String text) {
        YamlBooleans booleans = new YamlBooleans();
        booleans.visit("", new Yaml(new LoaderOptions()).compose(new StringReader(text)));
        return booleans.problems;
    }

    private void visit(String path, @Nullable Node node) {
        if (node == null || !seen.add(node)) {
            return; // an empty file, or an alias of what was visited
        }
        if (node instanceof ScalarNode scalar) {
            require(path, scalar);
        } else if (node instanceof SequenceNode list) {
            for (int i = 0; i < list.getValue().size(); i++) {
                visit(path + "[" + i + "]", list.getValue().get(i));
            }
        } else if (node instanceof MappingNode mapping) {
            mapping.getValue().forEach(entry -> visit(path, entry));
        }
    }

    private void visit(String path, NodeTuple entry) {
        String name = entry.getKeyNode() instanceof ScalarNode key ? key.getValue() : "?";
        String field = path.isEmpty() ? name : path + "." + name;
        visit(field, entry.getKeyNode());
        visit(field, entry.getValueNode());
    }

    private void require(String path, ScalarNode scalar) {
        String word = scalar.getValue();
        if (scalar.getScalarStyle() == ScalarStyle.PLAIN && WORDS.contains(word.toLowerCase(Locale.ROOT))) {
            problems.add(path + ": expected text, found " + word
                    + ", which YAML takes for a boolean: quote the name, as in \"" + word + "\"");
        }
    }
}
