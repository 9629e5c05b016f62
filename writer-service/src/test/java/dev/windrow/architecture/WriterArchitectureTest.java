package dev.windrow.architecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;

import dev.windrow.testing.ArchitectureRules;

/** Keeps the pure cores of the writer free of frameworks, so that they can be tested and reasoned about alone. */
@AnalyzeClasses(packages = "dev.windrow.writer", importOptions = ImportOption.DoNotIncludeTests.class)
class WriterArchitectureTest {

    private static final String[] PURE = { "dev.windrow.writer.decode.", "dev.windrow.writer.aggregate.",
            "dev.windrow.writer.journal.", "dev.windrow.writer.record." };

    @ArchTest
    static void coresArePure(JavaClasses classes) {
        ArchitectureRules.requirePure(classes, PURE);
    }

    @ArchTest
    static final ArchTests rulesOfServices = ArchTests.in(ArchitectureRules.OfServices.class);
}
