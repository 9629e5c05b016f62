package dev.windrow.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

import org.jspecify.annotations.Nullable;

import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.AssignmentTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.ParameterizedTypeTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;

import dev.windrow.base.SettingRanges;

/** Reads the {@code @ConfigMapping} interfaces of a service from its sources, with their Javadoc. */
final class ConfigMappingSources {

    private static final Map<String, String> TYPES = Map.of("Duration", "duration", "MemorySize", "size", "int", "integer",
            "long", "integer", "double", "number", "OptionalDouble", "number", "boolean", "boolean", "String", "text", "Path",
            "path", "URI", "URL");

    private static final Pattern OTHER = Pattern.compile("\\$\\{([^:}]+):}");

    private final Map<String, ClassTree> types = new HashMap<>();
    private final Map<Tree, CompilationUnitTree> units = new HashMap<>();
    private final List<ConfigurationKey> keys = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();
    private final DocTrees docs;

    private ConfigMappingSources(List<Path> files) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
            Iterable<? extends JavaFileObject> sources = manager.getJavaFileObjectsFromPaths(files);
            JavacTask task = (JavacTask) compiler.getTask(null, manager, null, List.of("-proc:none"), null, sources);
            docs = DocTrees.instance(task);
            List<ClassTree> mappings = new ArrayList<>();
            for (CompilationUnitTree unit : task.parse()) {
                unit.getTypeDecls().stream().filter(ClassTree.class::isInstance).map(ClassTree.class::cast)
                        .forEach(type -> note(type, unit, mappings));
            }
            mappings.forEach(type -> read(type, annotation(type.getModifiers(), "ConfigMapping", "prefix").orElseThrow()));
        }
    }

    /**
     * The keys of a service's modules, in the order of their interfaces.
     *
     * @throws AssertionError if a key has no Javadoc, or neither {@code @SettingRange} nor {@code @return}
     */
    static List<ConfigurationKey> keys(Path root, String... modules) {
        Map<Path, Path> files = new TreeMap<>();
        try {
            for (String module : modules) {
                Path folder = root.resolve(module).resolve("src/main/java");
                try (Stream<Path> found = Files.walk(folder)) {
                    found.filter(file -> file.toString().endsWith(".java"))
                            .forEach(file -> files.put(folder.relativize(file), file));
                }
            }
            ConfigMappingSources sources = new ConfigMappingSources(List.copyOf(files.values()));
            if (!sources.problems.isEmpty()) {
                throw new AssertionError(String.join("\n", sources.problems));
            }
            return sources.keys;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void note(ClassTree type, CompilationUnitTree unit, List<ClassTree> mappings) {
        types.putIfAbsent(type.getSimpleName().toString(), type);
        units.put(type, unit);
        if (annotation(type.getModifiers(), "ConfigMapping", "prefix").isPresent()) {
            mappings.add(type);
        }
        type.getMembers().stream().filter(ClassTree.class::isInstance).map(ClassTree.class::cast)
                .forEach(nested -> note(nested, unit, mappings));
    }

    private void read(ClassTree mapping, String prefix) {
        for (Tree member : mapping.getMembers()) {
            if (member instanceof MethodTree method && method.getBody() == null) {
                String name = prefix + "." + annotation(method.getModifiers(), "WithName", "value")
                        .orElseGet(() -> kebab(method.getName().toString()));
                ClassTree group = nested(mapping, method.getReturnType().toString());
                if (group != null) {
                    read(group, name);
                } else {
                    keys.add(key(mapping, method, name));
                }
            }
        }
    }

    private @Nullable ClassTree nested(ClassTree in, String type) {
        return in.getMembers().stream().filter(ClassTree.class::isInstance).map(ClassTree.class::cast)
                .filter(nested -> nested.getKind() == Tree.Kind.INTERFACE && nested.getSimpleName().contentEquals(type))
                .findFirst().orElse(null);
    }

    private ConfigurationKey key(ClassTree mapping, MethodTree method, String name) {
        Javadoc javadoc = Javadoc.of(docs.getDocComment(TreePath.getPath(units.get(mapping), method)));
        ClassTree constants = types.get(valueType(method.getReturnType()));
        String range = constants != null ? enumConstants(constants)
                : method.getReturnType().toString().equals("boolean") ? "`true` or `false`"
                        : range(method).orElse(javadoc.returned());
        if (javadoc.text().isEmpty()) {
            problems.add(name + ": expected a Javadoc comment with the key's meaning");
        }
        if (range.isEmpty()) {
            problems.add(name + ": expected a @SettingRange, or '@return' in its Javadoc, with unit and range");
        }
        String type = constants != null ? "name" : type(method.getReturnType());
        String defaultValue = annotation(method.getModifiers(), "WithDefault", "value").map(ConfigMappingSources::shown)
                .orElse(method.getReturnType().toString().matches("(Optional|Map<).*") ? "none" : "required");
        return new ConfigurationKey(name, javadoc.text(), type, defaultValue, range,
                annotation(method.getModifiers(), "SettingRange", "pattern").orElse(""));
    }

    private static Optional<String> range(MethodTree method) {
        if (method.getModifiers().getAnnotations().stream()
                .noneMatch(annotation -> annotation.getAnnotationType().toString().equals("SettingRange"))) {
            return Optional.empty();
        }
        UnaryOperator<String> member = name -> annotation(method.getModifiers(), "SettingRange", name).orElse("");
        String advice = member.apply("advice");
        return Optional.of(SettingRanges.text(member.apply("unit"), member.apply("min"), member.apply("above"),
                member.apply("max"), member.apply("below"), limit -> limit.startsWith("windrow.") ? "`" + limit + "`" : limit)
                + (advice.isEmpty() ? "" : "; " + advice));
    }

    private static String type(Tree type) {
        if (type.toString().startsWith("List<") || type.toString().startsWith("Optional<List<")) {
            return "list, separated by commas";
        }
        String each = type.toString().startsWith("Map<") ? ", one for each key below this one" : "";
        return TYPES.getOrDefault(valueType(type), valueType(type)) + each;
    }

    /** Of an Optional or a list, what is in it; of a map, its values. */
    private static String valueType(Tree type) {
        if (type instanceof ParameterizedTypeTree generic) {
            return valueType(generic.getTypeArguments().get(generic.getTypeArguments().size() - 1));
        }
        return type.toString();
    }

    private static String enumConstants(ClassTree type) {
        return type.getMembers().stream().filter(VariableTree.class::isInstance).map(VariableTree.class::cast)
                .filter(field -> field.getType().toString().equals(type.getSimpleName().toString()))
                .map(field -> "`" + field.getName().toString().toLowerCase(Locale.ROOT).replace('_', '-') + "`")
                .collect(Collectors.joining(", "));
    }

    private static Optional<String> annotation(ModifiersTree modifiers, String name, String member) {
        return modifiers.getAnnotations().stream()
                .filter(annotation -> annotation.getAnnotationType().toString().equals(name))
                .map(AnnotationTree::getArguments).flatMap(List::stream)
                .map(argument -> argumentValue(argument, member)).flatMap(Optional::stream).findFirst();
    }

    private static Optional<String> argumentValue(ExpressionTree argument, String member) {
        if (argument instanceof AssignmentTree assignment) {
            return assignment.getVariable().toString().equals(member) ? literal(assignment.getExpression()) : Optional.empty();
        }
        return member.equals("value") ? literal(argument) : Optional.empty();
    }

    private static Optional<String> literal(ExpressionTree expression) {
        return expression instanceof LiteralTree literal ? Optional.of(String.valueOf(literal.getValue())) : Optional.empty();
    }

    /** The value of another key or variable, such as {@code ${AWS_CA_BUNDLE:}}, is shown by its name. */
    private static String shown(String value) {
        Matcher other = OTHER.matcher(value);
        return other.matches() ? "that of `" + other.group(1) + "`" : "`" + value + "`";
    }

    private static String kebab(String name) {
        return name.replaceAll("([a-z0-9])([A-Z])", "$1-$2").toLowerCase(Locale.ROOT);
    }

    /**
     * A configuration key, as its {@code @ConfigMapping} interface declares it.
     *
     * @param meaning from the Javadoc, as Markdown
     * @param defaultValue as Markdown
     * @param range unit and range, from its {@code @SettingRange} or the Javadoc's {@code @return}
     * @param pattern that a text matches, or empty
     */
    record ConfigurationKey(String name, String meaning, String type, String defaultValue, String range, String pattern) {

        /** The environment variable that sets it (MicroProfile Config, "Environment variables mapping rules"). */
        String environmentVariable() {
            return name.replaceAll("[^A-Za-z0-9]", "_").toUpperCase(Locale.ROOT);
        }

        String row() {
            return "| `" + name + "`<br>`" + environmentVariable() + "` | " + cell(meaning) + " | " + type + " | "
                    + defaultValue
                    + " | " + cell(range) + " |\n";
        }

        private static String cell(String text) {
            return text.replace("|", "\\|");
        }
    }

    /**
     * A Javadoc comment as Markdown.
     *
     * @param text what comes before the tags
     * @param returned the text of {@code @return}; empty if there is none
     */
    private record Javadoc(String text, String returned) {

        private static final Pattern CODE = Pattern.compile("\\{@(?:code|link|linkplain|value)\\s+([^}]*)}");
        private static final Pattern TAG = Pattern.compile("(?m)^\\s*@(?=\\w)");
        private static final String RETURN = "return ";

        static Javadoc of(@Nullable String comment) {
            if (comment == null) {
                return new Javadoc("", "");
            }
            List<String> blocks = TAG.splitAsStream(comment).toList();
            String returned = "";
            for (int i = 1; i < blocks.size(); i++) {
                if (blocks.get(i).startsWith(RETURN)) {
                    returned = markdown(blocks.get(i).substring(RETURN.length()));
                }
            }
            return new Javadoc(markdown(blocks.get(0)), returned);
        }

        private static String markdown(String text) {
            return CODE.matcher(text).replaceAll("`$1`").replaceAll("\\s+", " ").strip();
        }
    }
}
