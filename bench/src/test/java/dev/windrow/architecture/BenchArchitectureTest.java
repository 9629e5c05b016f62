package dev.windrow.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import dev.windrow.testing.ArchitectureRules;

/** Keeps the model and the statistics pure. */
@AnalyzeClasses(packages = "dev.windrow.bench", importOptions = ImportOption.DoNotIncludeTests.class)
class BenchArchitectureTest {

    @ArchTest
    static final ArchRule modelAndStatisticsUseOnlyJava = classes()
            .that()
            .resideInAnyPackage("dev.windrow.bench.partition..", "dev.windrow.bench.table..", "dev.windrow.bench.stats..")
            .should().onlyDependOnClassesThat()
            .resideInAnyPackage("dev.windrow.bench.partition..", "dev.windrow.bench.table..", "dev.windrow.bench.stats..",
                    "dev.windrow.table..", "java..",
                    "org.jspecify.annotations")
            .because("what judges the services must not depend on what it judges with");

    @ArchTest
    static final ArchRule modelIsGivenItsTime = ArchitectureRules.givenTimeAndRandomness("dev.windrow.bench.partition");

    @ArchTest
    static final ArchRule packagesHaveNoCycles = ArchitectureRules.noPackageCycles();
}
