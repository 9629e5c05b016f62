package dev.windrow.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import java.util.Arrays;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import dev.windrow.testing.ArchitectureRules;

/** Keeps the pure cores of the writer free of frameworks, so that they can be tested and reasoned about alone. */
@AnalyzeClasses(packages = "dev.windrow.writer", importOptions = ImportOption.DoNotIncludeTests.class)
class WriterArchitectureTest {

    private static final String[] PURE_PACKAGES = { "dev.windrow.writer.message", "dev.windrow.writer.decode",
            "dev.windrow.writer.aggregate", "dev.windrow.writer.inflight.pending", "dev.windrow.writer.journal" };

    @ArchTest
    static void pureCoresExist(JavaClasses classes) {
        ArchitectureRules.requireClassesIn(classes, PURE_PACKAGES);
    }

    @ArchTest
    static final ArchRule pureCoresUseNoFramework = ArchitectureRules.withoutFrameworks(PURE_PACKAGES);

    @ArchTest
    static final ArchRule pureCoresAreGivenTimeAndRandomness = ArchitectureRules.givenTimeAndRandomness(PURE_PACKAGES);

    /** The journal is still being built: its requests carry claims, and claims are given the journal's moments. */
    @ArchTest
    static final ArchRule packagesHaveNoCycles = ArchitectureRules.noPackageCycles()
            .ignoreDependency(resideInAPackage("dev.windrow.writer.journal.request"),
                    resideInAPackage("dev.windrow.writer.journal.claim"))
            .ignoreDependency(resideInAPackage("dev.windrow.writer.journal.claim"),
                    resideInAPackage("dev.windrow.writer.journal"));

    /** Of messages in flight, the pure cores know only what is pure. */
    @ArchTest
    static final ArchRule pureCoresKnowNoLimitsOrHeartbeats = noClasses()
            .that().resideInAnyPackage(Arrays.stream(PURE_PACKAGES).map(pure -> pure + "..").toArray(String[]::new))
            .should().dependOnClassesThat().resideInAPackage("dev.windrow.writer.inflight");

    @ArchTest
    static final ArchRule logsHaveFields = ArchitectureRules.logsHaveFields();
}
