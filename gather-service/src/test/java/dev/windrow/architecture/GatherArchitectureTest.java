package dev.windrow.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import dev.windrow.testing.ArchitectureRules;
import io.quarkus.runtime.annotations.RegisterForReflection;

/** Keeps the pure cores of the gather free of frameworks, so that they can be tested and reasoned about alone. */
@AnalyzeClasses(packages = "dev.windrow.gather", importOptions = ImportOption.DoNotIncludeTests.class)
class GatherArchitectureTest {

    private static final String[] PURE_PACKAGES = { "dev.windrow.gather.query", "dev.windrow.gather.merge",
            "dev.windrow.gather.answer", "dev.windrow.gather.promql" };

    @ArchTest
    static void pureCoresExist(JavaClasses classes) {
        ArchitectureRules.requireClassesIn(classes, PURE_PACKAGES);
    }

    @ArchTest
    static final ArchRule pureCoresUseNoFramework = ArchitectureRules.withoutFrameworks(PURE_PACKAGES);

    @ArchTest
    static final ArchRule pureCoresAreGivenTimeAndRandomness = ArchitectureRules.givenTimeAndRandomness(PURE_PACKAGES);

    @ArchTest
    static final ArchRule packagesHaveNoCycles = ArchitectureRules.noPackageCycles();

    /** Nothing else fails on a JVM where one is forgotten. */
    @ArchTest
    static final ArchRule documentsAreKnownToANativeExecutable = classes()
            .that().resideInAnyPackage("dev.windrow.gather.api.rendering", "dev.windrow.gather.api.problem",
                    "dev.windrow.gather.api.resource", "dev.windrow.gather.api.prometheus")
            .and().areRecords().and().arePublic()
            .should().beAnnotatedWith(RegisterForReflection.class)
            .because("a native executable can write only documents whose parts are registered");

    @ArchTest
    static final ArchRule logsHaveFields = ArchitectureRules.logsHaveFields();
}
