package dev.windrow.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

/**
 * Whoever looks for a type finds it by the name of its file: a nested type is not used by another package, and by another file
 * of its own only as what its class takes or returns. The members of a sealed family stand in its file.
 */
class NestedTypesTest {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern PACKAGE = Pattern.compile("^package ([\\w.]+);", Pattern.MULTILINE);
    private static final Pattern NESTED = Pattern
            .compile("^import (?:static )?(dev\\.windrow[a-z.]*\\.)([A-Z]\\w*)\\.([A-Z]\\w*[a-z]\\w*)", Pattern.MULTILINE);

    @Test
    void nestedTypesAreUsedWhereTheyAreDeclared() throws IOException {
        Map<String, String> sources = sources();

        List<String> wrong = new ArrayList<>();
        sources.forEach((name, source) -> NESTED.matcher(source).results()
                .filter(used -> !isAllowed(name, used, sources.get(used.group(1) + used.group(2))))
                .forEach(used -> wrong.add(name + " uses " + used.group(2) + "." + used.group(3))));

        assertThat(sources).hasSizeGreaterThan(100);
        assertThat(wrong).as("nested types that need files of their own").isEmpty();
    }

    private static boolean isAllowed(String user, MatchResult used, String outer) {
        String name = used.group(1) + used.group(2);
        return user.equals(name) || isSealed(used.group(2), outer)
                || (user.startsWith(used.group(1)) && user.indexOf('.', used.group(1).length()) < 0
                        && isTakenOrReturned(used.group(3), outer));
    }

    private static boolean isSealed(String type, String source) {
        return Pattern.compile("\\bsealed interface " + type + "\\b").matcher(source).find();
    }

    private static boolean isTakenOrReturned(String type, String source) {
        return Pattern.compile("\\b" + type + "(<[^>]*>)?>*\\s+\\w+\\s*[(,)]").matcher(source).find();
    }

    /** All main classes, by their full names. */
    private static Map<String, String> sources() throws IOException {
        Map<String, String> sources = new LinkedHashMap<>();
        try (Stream<Path> modules = Files.list(ROOT)) {
            for (Path main : modules.map(module -> module.resolve("src/main/java")).filter(Files::isDirectory).toList()) {
                try (Stream<Path> files = Files.walk(main)) {
                    for (Path file : files.filter(any -> any.toString().endsWith(".java")).toList()) {
                        String source = Files.readString(file);
                        String packageName = PACKAGE.matcher(source).results().findFirst().orElseThrow().group(1);
                        sources.put(packageName + "." + file.getFileName().toString().replace(".java", ""), source);
                    }
                }
            }
        }
        return sources;
    }
}
