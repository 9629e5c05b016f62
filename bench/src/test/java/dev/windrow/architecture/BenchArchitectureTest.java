package dev.windrow.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import dev.windrow.testing.ArchitectureRules;

/** Keeps the table and its model pure. */
@AnalyzeClasses(packages = "dev.windrow.bench", importOptions = ImportOption.DoNotIncludeTests.class)
class BenchArchitectureTest {

    @ArchTest
    static final ArchRule theTableUsesOnlyJavaAndItsJson = classes()
            .that()
            .resideInAPackage("dev.windrow.bench.table..")
            .should().onlyDependOnClassesThat()
            .resideInAnyPackage("dev.windrow.bench.table..", "dev.windrow.table..", "com.fasterxml.jackson.databind..",
                    "java..", "org.jspecify.annotations")
            .because("what judges the services must not depend on what it judges with");

    @ArchTest
    static final ArchRule modelIsGivenItsTime = ArchitectureRules.givenTimeAndRandomness("dev.windrow.bench.table");

    @ArchTest
    static final ArchRule packagesHaveNoCycles = ArchitectureRules.noPackageCycles();
}
