package dev.windrow.chart;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.marcnuri.helm.DryRun;
import com.marcnuri.helm.Helm;
import com.marcnuri.helm.InstallCommand;
import com.marcnuri.helm.LintResult;
import com.marcnuri.helm.TemplateCommand;

/**
 * The chart, and what Helm makes of it. The binding leaves hooks out of what it renders; a copy of the chart whose hooks are
 * ordinary objects shows them too.
 */
final class WindrowChart {

    /** Also from the module e2e, which renders it too. */
    static final Path FOLDER = Path.of("../helm/windrow").toAbsolutePath().normalize();

    static final String SHOWN_HOOK = "shown.helm.sh/hook";

    /** Values over the main shapes. */
    private static final Path VALUES = Path.of("src/test/resources/values");
    private static final Path WITH_HOOKS = copyWithHooks();
    private static final String KUBERNETES = "1.31.0";

    private final Path folder;

    /** With hooks. */
    WindrowChart() {
        this(WITH_HOOKS);
    }

    WindrowChart(Path folder) {
        this.folder = folder;
    }

    /** The main shapes, which are in the chart, and what tests lay over them. Together they turn everything on. */
    static List<String> shapes() {
        return Stream.of(FOLDER.resolve("ci"), VALUES).flatMap(folder -> Stream.of(folder.toFile().list()))
                .map(file -> file.replaceFirst("(-values)?\\.yaml$", "")).sorted().toList();
    }

    static Path ci(String shape) {
        return FOLDER.resolve("ci").resolve(shape + "-values.yaml");
    }

    /** The chart as it is; hooks are not rendered. */
    static WindrowChart withoutHooks() {
        return new WindrowChart(FOLDER);
    }

    LintResult lint() {
        return new Helm(folder).lint().strict().call();
    }

    /** Lints it with values other than its own. Helm's linter has no such option here, so they replace those of a copy. */
    LintResult lintWith(Rendering rendering, Path emptyFolder) throws IOException {
        copy(folder, emptyFolder, text -> text);
        Path defaults = emptyFolder.resolve("values.yaml");
        Files.copy(merged(defaults, text(rendering.values)), defaults, StandardCopyOption.REPLACE_EXISTING);
        return new Helm(emptyFolder).lint().strict().call();
    }

    void copyTo(Path target) {
        copy(folder, target, text -> text);
    }

    /** Values of a shape, to be changed and rendered. */
    Rendering shape(String shape) {
        int over = shape.indexOf("-over-");
        return over < 0 ? new Rendering(ci(shape))
                : shape(shape.substring(over + "-over-".length())).and(text(VALUES.resolve(shape + ".yaml")));
    }

    Rendering values(Path file) {
        return new Rendering(file);
    }

    /** One way to install the chart. */
    final class Rendering {

        Path values;
        private final Map<String, Object> changes = new LinkedHashMap<>();
        private String release = "windrow";
        private String namespace = "counting";
        private String kubernetes = KUBERNETES;

        private Rendering(Path values) {
            this.values = values;
        }

        Rendering as(String otherRelease, String otherNamespace) {
            release = otherRelease;
            namespace = otherNamespace;
            return this;
        }

        Rendering on(String kubernetesVersion) {
            kubernetes = kubernetesVersion;
            return this;
        }

        /** Another value, by its path. */
        Rendering with(String path, Object value) {
            changes.put(path, value);
            return this;
        }

        /** Values as YAML, over those given before. */
        Rendering and(String yaml) {
            values = merged(values, yaml);
            return this;
        }

        String text() {
            TemplateCommand template = new Helm(folder).template().withName(release).withNamespace(namespace)
                    .withKubeVersion(kubernetes).withValuesFile(values);
            changes.forEach(template::set);
            return template.call();
        }

        Manifests manifests() {
            return Manifests.parse(text());
        }

        /** What Helm prints after an installation. */
        String notes() {
            InstallCommand install = new Helm(FOLDER).install().clientOnly().withDryRunOption(DryRun.CLIENT)
                    .withName(release).withNamespace(namespace).withKubeVersion(kubernetes).withValuesFile(values);
            changes.forEach(install::set);
            String output = install.call().getOutput();
            return output.substring(output.indexOf("NOTES:"));
        }
    }

    /**
     * A new file with the values of a file and those of a YAML text over them, merged as Helm does: maps by key, everything
     * else as a whole.
     */
    private static Path merged(Path file, String yaml) {
        try {
            Path merged = Files.createTempFile(Files.createDirectories(Path.of("target")), "values", ".yaml");
            merged.toFile().deleteOnExit();
            StrictKubernetes.YAML.writeValue(merged.toFile(),
                    merged(StrictKubernetes.tree(text(file)), StrictKubernetes.tree(yaml)));
            return merged.toAbsolutePath();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static JsonNode merged(JsonNode values, JsonNode over) {
        if (!(values instanceof ObjectNode map) || !over.isObject()) {
            return over;
        }
        over.properties().forEach(entry -> map.set(entry.getKey(), merged(map.path(entry.getKey()), entry.getValue())));
        return map;
    }

    static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path copyWithHooks() {
        // a folder of its own, as templates that are gone must not stay
        Path target = Path.of("target/chart-with-hooks-" + ProcessHandle.current().pid()).toAbsolutePath();
        copy(FOLDER, target, text -> text.replace("helm.sh/hook", SHOWN_HOOK));
        return target;
    }

    private static void copy(Path source, Path target, UnaryOperator<String> change) {
        try (Stream<Path> files = Files.walk(source)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path copy = target.resolve(source.relativize(file).toString());
                Files.createDirectories(copy.getParent());
                Files.writeString(copy, change.apply(Files.readString(file)));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
