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
 * Keeps the module pure: the writer and the gatherer must agree on it for ever, so it may not change because a framework
 * does.
 * Every package is pure unless it is named here as an exception; a new or renamed package is therefore covered at once.
 */
@AnalyzeClasses(packages = "dev.windrow", importOptions = { ImportOption.DoNotIncludeTests.class,
        ArchitectureRules.WithoutTestModule.class })
class CommonArchitectureTest {

    /** Reads dataset declarations from YAML. */
    private static final String YAML = "dev.windrow.dataset.yaml..";

    /** Creates the table and the queues. */
    private static final String PROVISION = "dev.windrow.provision..";

    /** Signs requests with the SDK's credentials. */
    private static final String SIGNING = "dev.windrow.signing..";

    /** Makes requests to AWS over Vert.x. */
    private static final String WIRE = "dev.windrow.aws..";

    /** Admits asynchronous work. */
    private static final String ADMISSION = "dev.windrow.admission..";

    @ArchTest
    static final ArchRule purePackagesUseOnlyJavaAndOneHash = classes()
            .that().resideOutsideOfPackages(YAML, PROVISION, SIGNING, WIRE, ADMISSION)
            .should().onlyDependOnClassesThat()
            .resideInAnyPackage("dev.windrow..", "java..", "org.jspecify.annotations", "org.apache.commons.codec..")
            .because("formats that two services share must not depend on a framework");

    @ArchTest
    static final ArchRule purePackagesDoNotKnowTheExceptions = noClasses()
            .that().resideOutsideOfPackages(YAML, PROVISION, SIGNING, WIRE)
            .should().dependOnClassesThat().resideInAnyPackage(YAML, PROVISION, SIGNING, WIRE)
            .because("a pure package that uses an impure one is not pure");

    @ArchTest
    static final ArchRule admissionUsesOnlyMutiny = classes().that().resideInAPackage(ADMISSION)
            .should().onlyDependOnClassesThat().resideInAnyPackage("dev.windrow..", "java..", "org.jspecify.annotations",
                    "io.smallrye.mutiny..");

    @ArchTest
    static final ArchRule signingKnowsOnlyCredentials = classes().that().resideInAPackage(SIGNING)
            .should().onlyDependOnClassesThat().resideInAnyPackage(SIGNING, "java..", "javax.crypto..",
                    "org.jspecify.annotations", "software.amazon.awssdk.identity..");

    @ArchTest
    static final ArchRule packagesAreGivenTimeAndChance = noClasses()
            .that().resideOutsideOfPackages(YAML, PROVISION)
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
