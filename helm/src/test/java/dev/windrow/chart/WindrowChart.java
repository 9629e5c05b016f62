package dev.windrow.chart;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

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

    /** The annotation of hooks, in the copy that shows them. */
    static final String SHOWN_HOOK = "shown.helm.sh/hook";

    private static final Path WITH_HOOKS = copyWithHooks();

    private static final String KUBERNETES = "1.31.0";

    /** Name and namespace of an installation. */
    record Release(String name, String namespace) {
        static final Release WINDROW = new Release("windrow", "counting");
    }

    private final Path folder;

    /** With hooks. */
    WindrowChart() {
        this(WITH_HOOKS);
    }

    WindrowChart(Path folder) {
        this.folder = folder;
    }

    /** The values files of the main shapes. */
    static List<Path> ciFiles() {
        try (Stream<Path> files = Files.list(FOLDER.resolve("ci"))) {
            return files.filter(file -> file.toString().endsWith("-values.yaml")).sorted(Comparator.naturalOrder()).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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
    LintResult lintWith(Path valuesFile, Path emptyFolder) throws IOException {
        copy(folder, emptyFolder, text -> text);
        Path defaults = emptyFolder.resolve("values.yaml");
        Files.copy(Values.merged(defaults, Files.readString(valuesFile)), defaults, StandardCopyOption.REPLACE_EXISTING);
        return new Helm(emptyFolder).lint().strict().call();
    }

    /** A copy of it, such as in the folder of a parent chart. */
    void copyTo(Path target) {
        copy(folder, target, text -> text);
    }

    /** Values of one of the main shapes, to be changed and rendered. */
    Rendering shape(String shape) {
        return new Rendering(ci(shape));
    }

    Rendering values(Path file) {
        return new Rendering(file);
    }

    /** One way to install the chart. */
    final class Rendering {

        private Path values;
        private final Map<String, Object> changes = new LinkedHashMap<>();
        private Release release = Release.WINDROW;
        private String kubernetes = KUBERNETES;

        private Rendering(Path values) {
            this.values = values;
        }

        Rendering as(Release other) {
            release = other;
            return this;
        }

        Rendering on(String kubernetesVersion) {
            kubernetes = kubernetesVersion;
            return this;
        }

        Rendering with(String path, Object value) {
            changes.put(path, value);
            return this;
        }

        /** Values as YAML, over those given before. */
        Rendering and(String yaml) {
            values = Values.merged(values, yaml);
            return this;
        }

        String text() {
            TemplateCommand template = new Helm(folder).template().withName(release.name()).withNamespace(release.namespace())
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
                    .withName(release.name()).withNamespace(release.namespace()).withKubeVersion(kubernetes)
                    .withValuesFile(values);
            changes.forEach(install::set);
            String output = install.call().getOutput();
            return output.substring(output.indexOf("NOTES:"));
        }
    }

    private static Path copyWithHooks() {
        Path target = Path.of("target/chart-with-hooks").toAbsolutePath();
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
