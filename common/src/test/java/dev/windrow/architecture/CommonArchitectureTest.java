package dev.windrow.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import dev.windrow.testing.ArchitectureRules;

/**
 * Keeps the module's few libraries to the packages that need them; AWS, Vert.x and Quarkus are not on its class path.
 * Every class is pure unless it is named here as an exception.
 */
@AnalyzeClasses(packages = "dev.windrow", importOptions = { ImportOption.DoNotIncludeTests.class,
        ArchitectureRules.WithoutTestModule.class })
class CommonArchitectureTest {

    /** Read dataset declarations from YAML, which is logged. */
    private static final String YAML = "dev\\.windrow\\.dataset\\.(DatasetsYaml|DatasetDeclaration|EventFormDeclaration|YamlField)(\\$.*)?";

    private static final String[] FORMATS = { "dev.windrow.dataset", "dev.windrow.event", "dev.windrow.scatter",
            "dev.windrow.table",
            "dev.windrow.time" };

    /** What all packages may use. */
    private static final String[] PURE = { "dev.windrow..", "java..", "org.jspecify.annotations",
            "org.apache.commons.codec.." };

    @ArchTest
    static final ArchRule formatsUseOnlyJavaAndOneHash = classes()
            .that().resideInAnyPackage(FORMATS).and().haveNameNotMatching(YAML)
            .should().onlyDependOnClassesThat().resideInAnyPackage(PURE)
            .because("formats that two services share must not depend on a framework");

    @ArchTest
    static final ArchRule formatsDoNotKnowTheirFile = noClasses()
            .that().resideInAnyPackage(FORMATS).and().haveNameNotMatching(YAML)
            .should().dependOnClassesThat().haveNameMatching(YAML)
            .because("a pure class that uses an impure one is not pure");

    @ArchTest
    static final ArchRule baseUsesOnlyMutinySettingsAndLogging = classes().that().resideInAPackage("dev.windrow.base")
            .should().onlyDependOnClassesThat().resideInAnyPackage("dev.windrow.base", "java..", "org.jspecify.annotations",
                    "io.smallrye.mutiny..", "io.smallrye.config..", "org.eclipse.microprofile.config..", "org.jboss.logging..");

    @ArchTest
    static final ArchRule packagesAreGivenTimeAndChance = ArchitectureRules
            .givenTimeAndRandomness("(?!" + YAML + "$)dev\\.windrow\\.");

    @ArchTest
    static final ArchRule packagesHaveNoCycles = ArchitectureRules.noPackageCycles();
}
