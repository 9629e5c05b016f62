package dev.windrow.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import java.time.Clock;
import java.time.Instant;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import dev.windrow.testing.ArchitectureRules;

/**
 * Keeps the module's few libraries to the packages that need them; AWS, Vert.x and Quarkus are not on its class path.
 * Every package is pure unless it is named here as an exception; a new or renamed package is therefore covered at once.
 */
@AnalyzeClasses(packages = "dev.windrow", importOptions = { ImportOption.DoNotIncludeTests.class,
        ArchitectureRules.WithoutTestModule.class })
class CommonArchitectureTest {

    /** Reads dataset declarations from YAML. */
    private static final String YAML = "dev.windrow.dataset.yaml..";

    /** Logs with JBoss Logging. */
    private static final String LOG = "dev.windrow.log";

    /** Admits asynchronous work. */
    private static final String ADMISSION = "dev.windrow.admission..";

    @ArchTest
    static final ArchRule purePackagesUseOnlyJavaAndOneHash = classes()
            .that().resideOutsideOfPackages(YAML, LOG, ADMISSION)
            .should().onlyDependOnClassesThat()
            .resideInAnyPackage("dev.windrow..", "java..", "org.jspecify.annotations", "org.apache.commons.codec..")
            .because("formats that two services share must not depend on a framework");

    @ArchTest
    static final ArchRule purePackagesDoNotKnowTheExceptions = noClasses()
            .that().resideOutsideOfPackages(YAML, LOG, ADMISSION)
            .should().dependOnClassesThat().resideInAnyPackage(YAML, LOG, ADMISSION)
            .because("a pure package that uses an impure one is not pure");

    @ArchTest
    static final ArchRule admissionUsesOnlyMutiny = classes().that().resideInAPackage(ADMISSION)
            .should().onlyDependOnClassesThat().resideInAnyPackage("dev.windrow..", "java..", "org.jspecify.annotations",
                    "io.smallrye.mutiny..");

    @ArchTest
    static final ArchRule packagesAreGivenTimeAndChance = noClasses()
            .that().resideOutsideOfPackages(YAML)
            .should().callMethod(Instant.class, "now")
            .orShould().callMethod(Clock.class, "systemUTC")
            .orShould().callMethod(System.class, "currentTimeMillis")
            .orShould().callMethod(System.class, "nanoTime")
            .orShould().callMethod(Math.class, "random")
            .orShould().callMethod(ThreadLocalRandom.class, "current")
            .orShould().callConstructor(Random.class)
            .because("clocks and generators are passed in, so that tests can choose them");

    @ArchTest
    static final ArchRule packagesHaveNoCycles = ArchitectureRules.noPackageCycles();
}
