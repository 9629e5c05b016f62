package dev.windrow.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

/** Preparing and starting a service takes many seconds, so a plain build starts only the default one and the model's. */
class ServicesOfTestsTest {

    private static final Path TESTS = Path.of("src/test/java");
    private static final String EXCLUDED = "tests.with-own-service";

    @Test
    void testsWithAServiceOfTheirOwnAreSlowAndNotFoundByAPlainBuild() throws IOException {
        String pom = Files.readString(Path.of("pom.xml"));
        String excluded = pom.substring(pom.indexOf("<" + EXCLUDED + ">"), pom.indexOf("</" + EXCLUDED + ">"));
        try (Stream<Path> files = Files.walk(TESTS)) {
            List<Path> own = files.filter(ServicesOfTestsTest::hasServiceOfItsOwn).toList();

            assertThat(own).isNotEmpty().allSatisfy(file -> {
                assertThat(Files.readString(file)).contains("\n@Tag(\"slow\")\n");
                assertThat(excluded).as(EXCLUDED + " in pom.xml").contains("**/" + file.getFileName());
            });
        }
    }

    private static boolean hasServiceOfItsOwn(Path file) {
        if (!file.toString().endsWith("Test.java")) {
            return false;
        }
        try {
            String source = Files.readString(file);
            return source.contains("\n@QuarkusTest\n")
                    && (source.contains("restrictToAnnotatedClass = true") || (source.contains("\n@TestProfile(")
                            && !source.contains("\n@TestProfile(ModelProfile.class)\n")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
