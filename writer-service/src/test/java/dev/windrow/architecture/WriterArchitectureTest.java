package dev.windrow.architecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import dev.windrow.testing.ArchitectureRules;

/** Keeps the pure cores of the writer free of frameworks, so that they can be tested and reasoned about alone. */
@AnalyzeClasses(packages = "dev.windrow.writer", importOptions = ImportOption.DoNotIncludeTests.class)
class WriterArchitectureTest {

    private static final String[] PURE = { "dev.windrow.writer.decode.", "dev.windrow.writer.aggregate.",
            "dev.windrow.writer.journal." };

    @ArchTest
    static void pureCoresExist(JavaClasses classes) {
        ArchitectureRules.requireClasses(classes, PURE);
    }

    @ArchTest
    static final ArchRule pureCoresUseNoFramework = ArchitectureRules.withoutFrameworks(PURE);

    @ArchTest
    static final ArchRule pureCoresAreGivenTimeAndRandomness = ArchitectureRules.givenTimeAndRandomness(PURE);

    @ArchTest
    static final ArchRule packagesHaveNoCycles = ArchitectureRules.noPackageCycles();

    @ArchTest
    static void packagesAreSmall(JavaClasses classes) {
        ArchitectureRules.requireSmallPackages(classes);
    }

    @ArchTest
    static final ArchRule noPackageIsALayer = ArchitectureRules.noPackageIsALayer();

    @ArchTest
    static final ArchRule nobodyNamesAKindOfMeasure = ArchitectureRules.nobodyNamesAKindOfMeasure();

    @ArchTest
    static final ArchRule logsHaveFields = ArchitectureRules.logsHaveFields();
}
