package dev.windrow.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Instant;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Keeps the pure cores of the writer free of frameworks, so that they can be tested and reasoned about alone. */
@AnalyzeClasses(packages = "dev.windrow.writer", importOptions = ImportOption.DoNotIncludeTests.class)
class WriterArchitectureTest {

    private static final String[] PURE_PACKAGES = { "dev.windrow.writer.message", "dev.windrow.writer.decode",
            "dev.windrow.writer.aggregate", "dev.windrow.writer.journal" };

    private static final String[] FRAMEWORKS = { "io.quarkus..", "jakarta..", "software.amazon..", "io.smallrye..",
            "io.micrometer..", "org.eclipse.microprofile..", "org.jboss.." };

    /** A rule about a package that was renamed or emptied would hold for nothing. */
    @ArchTest
    static void pureCoresExist(JavaClasses classes) {
        for (String pure : PURE_PACKAGES) {
            assertThat(classes.containPackage(pure)).as("package %s has classes", pure).isTrue();
        }
    }

    @ArchTest
    static final ArchRule pureCoresUseNoFramework = noClasses()
            .that().resideInAnyPackage(pureAndBelow())
            .should().dependOnClassesThat().resideInAnyPackage(FRAMEWORKS)
            .because("a core that knows its framework cannot be tested without it");

    @ArchTest
    static final ArchRule pureCoresAreGivenTimeAndChance = noClasses()
            .that().resideInAnyPackage(pureAndBelow())
            .should().callMethod(Instant.class, "now")
            .orShould().callMethod(Clock.class, "systemUTC")
            .orShould().callMethod(System.class, "currentTimeMillis")
            .orShould().callMethod(System.class, "nanoTime")
            .orShould().callMethod(Math.class, "random")
            .orShould().callMethod(ThreadLocalRandom.class, "current")
            .orShould().callConstructor(Random.class)
            .because("clocks and generators are passed in, so that tests can choose them");

    @ArchTest
    static final ArchRule packagesHaveNoCycles = slices().matching("dev.windrow.writer.(*)..")
            .should().beFreeOfCycles();

    private static String[] pureAndBelow() {
        return Arrays.stream(PURE_PACKAGES).map(pure -> pure + "..").toArray(String[]::new);
    }
}
