package dev.windrow.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import dev.windrow.testing.ArchitectureRules;

/** Keeps signing apart from everything but credentials. Quarkus is not on the module's class path. */
@AnalyzeClasses(packages = { "dev.windrow.aws", "dev.windrow.http", "dev.windrow.provision",
        "dev.windrow.signing" }, importOptions = ImportOption.DoNotIncludeTests.class)
class AwsArchitectureTest {

    private static final String AWS = "dev.windrow.aws";

    private static final String HTTP = "dev.windrow.http";
    private static final String SIGNING = "dev.windrow.signing";

    @ArchTest
    static void packagesExist(JavaClasses classes) {
        ArchitectureRules.requireClasses(classes, AWS, HTTP, SIGNING);
    }

    @ArchTest
    static final ArchRule signingKnowsOnlyCredentials = classes().that().resideInAPackage(SIGNING + "..")
            .should().onlyDependOnClassesThat().resideInAnyPackage(SIGNING + "..", "java..", "javax.crypto..",
                    "org.apache.commons.codec.digest", "org.jspecify.annotations", "software.amazon.awssdk.identity..");

    @ArchTest
    static final ArchRule httpKnowsNothingOfAws = classes().that().resideInAPackage(HTTP + "..")
            .should().onlyDependOnClassesThat().resideInAnyPackage(HTTP + "..", "java..", "org.jspecify.annotations",
                    "io.netty..", "io.vertx..");

    @ArchTest
    static final ArchRule packagesAreGivenTimeAndRandomness = ArchitectureRules.givenTimeAndRandomness(AWS, HTTP, SIGNING);

    @ArchTest
    static final ArchRule packagesHaveNoCycles = ArchitectureRules.noPackageCycles();
}
