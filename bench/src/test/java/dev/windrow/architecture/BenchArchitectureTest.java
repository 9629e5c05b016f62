package dev.windrow.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import dev.windrow.testing.ArchitectureRules;

/** Keeps what measures apart from what is measured. */
@AnalyzeClasses(packages = "dev.windrow.bench", importOptions = ImportOption.DoNotIncludeTests.class)
class BenchArchitectureTest {

    @ArchTest
    static final ArchRule theServersUseNothingOfTheServices = classes()
            .that()
            .resideInAPackage("dev.windrow.bench.server..")
            .should().onlyDependOnClassesThat()
            .resideInAnyPackage("dev.windrow.bench.server..", "dev.windrow.table..", "com.fasterxml.jackson..",
                    "io.vertx..", "java..", "org.jspecify.annotations")
            .because("what judges the services must not depend on what it judges with");

    @ArchTest
    static final ArchRule packagesHaveNoCycles = ArchitectureRules.noPackageCycles();
}
