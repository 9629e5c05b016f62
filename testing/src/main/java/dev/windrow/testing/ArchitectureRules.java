package dev.windrow.testing;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import java.time.Clock;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceRule;

/** Rules that the architecture tests of all modules share. */
public final class ArchitectureRules {

    private static final String[] FRAMEWORKS = { "io.quarkus..", "jakarta..", "software.amazon..", "io.smallrye..",
            "io.micrometer..", "io.vertx..", "org.eclipse.microprofile..", "org.jboss.." };

    private ArchitectureRules() {
    }

    /** Leaves out what tests share: it is on the class path of tests alone. */
    public static final class WithoutTestModule implements ImportOption {

        @Override
        public boolean includes(Location location) {
            return !location.contains("/dev/windrow/testing/");
        }
    }

    /** No cycle between packages, each with its full name: sub-packages and the packages above them are parts too. */
    public static SliceRule noPackageCycles() {
        return slices().matching("dev.windrow.(**)").should().beFreeOfCycles();
    }

    /** Packages, and those below them, that use no framework. */
    public static ArchRule withoutFrameworks(String... packages) {
        return noClasses().that().resideInAnyPackage(andBelow(packages))
                .should().dependOnClassesThat().resideInAnyPackage(FRAMEWORKS)
                .because("a core that knows its framework cannot be tested without it");
    }

    /** Packages, and those below them, that read no clock and draw no random numbers of their own. */
    public static ArchRule givenTimeAndRandomness(String... packages) {
        return noClasses()
                .that().resideInAnyPackage(andBelow(packages))
                .should().callMethod(Instant.class, "now")
                .orShould().callMethod(Clock.class, "systemUTC")
                .orShould().callMethod(System.class, "currentTimeMillis")
                .orShould().callMethod(System.class, "nanoTime")
                .orShould().callMethod(Math.class, "random")
                .orShould().callMethod(ThreadLocalRandom.class, "current")
                .orShould().callConstructor(Random.class)
                .because("clocks and generators are passed in, so that tests can choose them");
    }

    /** Logs are written by StructuredLogger, whose keys are a fixed list and whose values are sanitized. */
    public static ArchRule logsHaveFields() {
        return noClasses().that().doNotHaveFullyQualifiedName("dev.windrow.base.StructuredLogger")
                .should().dependOnClassesThat().haveFullyQualifiedName("org.jboss.logging.Logger")
                .orShould().dependOnClassesThat().haveFullyQualifiedName("java.util.logging.Logger")
                .because("StructuredLogger knows the keys, and no value passes it unsanitized");
    }

    /**
     * A rule about a package that was renamed or emptied would check nothing.
     *
     * @throws AssertionError naming the packages without classes
     */
    public static void requireClassesIn(JavaClasses classes, String... packages) {
        List<String> empty = Stream.of(packages).filter(name -> !classes.containPackage(name)).toList();
        if (!empty.isEmpty()) {
            throw new AssertionError("packages without classes: " + empty);
        }
    }

    private static String[] andBelow(String... packages) {
        return Arrays.stream(packages).map(name -> name + "..").toArray(String[]::new);
    }
}
