package dev.windrow.testing;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceRule;

/** Rules that the architecture tests of all modules share. */
public final class ArchitectureRules {

    private static final String[] FRAMEWORKS = { "io.quarkus..", "jakarta..", "software.amazon..", "io.smallrye..",
            "io.micrometer..", "io.vertx..", "org.eclipse.microprofile..", "org.jboss.." };

    private static final Set<String> CLOCKS_AND_GENERATORS = Set.of("java.time.Instant.now()", "java.time.LocalDate.now()",
            "java.time.LocalDateTime.now()", "java.time.OffsetDateTime.now()", "java.time.ZonedDateTime.now()",
            "java.time.Clock.systemUTC()", "java.time.Clock.systemDefaultZone()", "java.lang.System.currentTimeMillis()",
            "java.lang.System.nanoTime()", "java.lang.Math.random()", "java.util.UUID.randomUUID()",
            "java.util.Random.<init>()", "java.util.SplittableRandom.<init>()", "java.security.SecureRandom.<init>()",
            "java.util.concurrent.ThreadLocalRandom.current()");

    private static final int MAX_FILES = 25;

    private ArchitectureRules() {
    }

    /** Excludes the shared test module, which is on the class path of tests only. */
    public static final class WithoutTestModule implements ImportOption {

        @Override
        public boolean includes(Location location) {
            return !location.contains("/dev/windrow/testing/");
        }
    }

    /** Forbids cycles between packages. Each full name is one package: sub-packages are separate from their parents. */
    public static SliceRule noPackageCycles() {
        return slices().matching("dev.windrow.(**)").should().beFreeOfCycles();
    }

    /**
     * Keeps classes whose full names begin with one of the regular expressions free of frameworks, clocks and randomness.
     *
     * @throws AssertionError naming what is wrong, or the beginnings that no class has
     */
    public static void requirePure(JavaClasses classes, String... beginnings) {
        requireClasses(classes, beginnings);
        noClasses().that().haveNameMatching(anyOf(beginnings))
                .should().dependOnClassesThat().resideInAnyPackage(FRAMEWORKS)
                .because("a core that knows its framework cannot be tested without it").check(classes);
        givenTimeAndRandomness(beginnings).check(classes);
    }

    /** Forbids classes with these beginnings from reading a clock or drawing random numbers themselves, also by references. */
    public static ArchRule givenTimeAndRandomness(String... beginnings) {
        return noClasses().that().haveNameMatching(anyOf(beginnings))
                .should().accessTargetWhere(describe("a clock or a generator of its own is read",
                        access -> CLOCKS_AND_GENERATORS.contains(access.getTarget().getFullName())))
                .because("clocks and generators are passed in, so that tests can choose them");
    }

    /** What holds in every module with code of a service. */
    public static final class OfServices {

        private OfServices() {
        }

        @ArchTest
        static final ArchRule packagesHaveNoCycles = noPackageCycles();

        /** A package that is named after a layer, instead of its subject, collects unrelated classes. */
        @ArchTest
        static final ArchRule noPackageIsALayer = noClasses().should().resideInAnyPackage("..api..", "..service..",
                "..model..", "..util..", "..utils..", "..helper..", "..impl..", "..dto..", "..controller..", "..repository..",
                "..common..", "..core..");

        /** Code that names kinds of measures would have to be found for each new one. */
        @ArchTest
        static final ArchRule nobodyNamesAKindOfMeasure = noClasses()
                .that().haveNameNotMatching("dev\\.windrow\\.dataset\\.MeasureKind.*")
                .should().accessFieldWhere(target(owner(name("dev.windrow.dataset.MeasureKind"))))
                .because("a kind of measure is one constant of MeasureKind, with all that is particular to it");

        @ArchTest
        static final ArchRule logsHaveFields = noClasses()
                .that().doNotHaveFullyQualifiedName("dev.windrow.base.StructuredLogger")
                .should().dependOnClassesThat().haveFullyQualifiedName("org.jboss.logging.Logger")
                .orShould().dependOnClassesThat().haveFullyQualifiedName("java.util.logging.Logger")
                .because("StructuredLogger knows the keys, and no value passes it unsanitized");

        /** Small packages stay comprehensible. */
        @ArchTest
        static void packagesAreSmall(JavaClasses classes) {
            Map<String, Long> files = classes.stream()
                    .filter(type -> type.isTopLevelClass() && !type.getSimpleName().equals("package-info"))
                    .collect(groupingBy(JavaClass::getPackageName, counting()));
            files.values().removeIf(count -> count <= MAX_FILES);
            if (!files.isEmpty()) {
                throw new AssertionError("packages of more than " + MAX_FILES + " files: " + files);
            }
        }
    }

    /**
     * Requires classes with each of these beginnings, as a rule about renamed classes would check nothing.
     *
     * @throws AssertionError naming the beginnings that no class has
     */
    public static void requireClasses(JavaClasses classes, String... beginnings) {
        List<String> empty = Stream.of(beginnings)
                .filter(name -> classes.stream().noneMatch(type -> type.getName().matches(anyOf(name)))).toList();
        if (!empty.isEmpty()) {
            throw new AssertionError("no classes named " + empty);
        }
    }

    private static String anyOf(String... beginnings) {
        return "(" + String.join("|", beginnings) + ").*";
    }
}
