package dev.windrow.docs;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

/** The architecture page and the README list every module, and the page every package. */
class ArchitecturePageTest {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");
    private static final Pattern NAME = Pattern.compile("`([^`]+)`");
    /** The packages that a module's packages are named below. */
    private static final Map<String, String> BELOW = Map.of("writer-service", "writer", "gather", "gather", "prometheus",
            "gather", "gather-service", "gather", "bench", "bench");

    @Test
    void everyModuleIsListed() throws IOException {
        String readme = Files.readString(ROOT.resolve("README.md"));

        List<String> modules = MODULE.matcher(Files.readString(ROOT.resolve("pom.xml"))).results()
                .map(module -> module.group(1)).toList();

        assertThat(modules).isNotEmpty()
                .allSatisfy(module -> assertThat(readme).contains("[`" + module + "`](" + module + ")"));
        assertThat(listed().keySet()).containsAll(modules);
    }

    @Test
    void everyPackageIsListed() throws IOException {
        Map<String, Set<String>> listed = listed();

        Map<String, Set<String>> packages = new LinkedHashMap<>();
        for (String module : listed.keySet()) {
            packages.put(module, packages(module));
        }

        assertThat(listed).isEqualTo(packages);
    }

    private static Map<String, Set<String>> listed() throws IOException {
        Map<String, Set<String>> listed = new LinkedHashMap<>();
        for (String line : Files.readAllLines(ROOT.resolve("docs/architecture.md"))) {
            String[] cells = line.split("\\|", -1);
            if (line.startsWith("| `") && Files.isDirectory(ROOT.resolve(names(cells[1]).first()))) {
                names(cells[1]).forEach(module -> listed.put(module, names(cells[2])));
            }
        }
        return listed;
    }

    private static TreeSet<String> names(String cell) {
        return NAME.matcher(cell).results().map((MatchResult name) -> name.group(1)).collect(toCollection(TreeSet::new));
    }

    /** The packages of a module's main code, relative to its root package. */
    private static Set<String> packages(String module) throws IOException {
        Path root = ROOT.resolve(module).resolve("src/main/java/dev/windrow").resolve(BELOW.getOrDefault(module, ""));
        if (!Files.isDirectory(root)) {
            return Set.of();
        }
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> root.relativize(file.getParent()).toString().replace('/', '.'))
                    .filter(name -> !name.isEmpty()).collect(toCollection(TreeSet::new));
        }
    }
}
