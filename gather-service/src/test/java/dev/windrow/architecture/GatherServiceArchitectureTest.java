package dev.windrow.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import java.util.stream.Stream;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;
import com.tngtech.archunit.lang.ArchRule;

import dev.windrow.testing.ArchitectureRules;
import io.quarkus.runtime.annotations.RegisterForReflection;

/** Keeps the meaning of queries free of frameworks, so that it can be tested and reasoned about alone. */
@AnalyzeClasses(packages = "dev.windrow.gather", importOptions = { ImportOption.DoNotIncludeTests.class,
        ImportOption.DoNotIncludeJars.class })
class GatherServiceArchitectureTest {

    private static final String[] QUERIES = Stream.of("buckets", "busiest", "live", "series", "top", "totals")
            .map(kind -> "dev\\.windrow\\.gather\\." + kind + "\\.\\w+(Query|Transform)").toArray(String[]::new);

    @ArchTest
    static void coresArePure(JavaClasses classes) {
        ArchitectureRules.requirePure(classes, QUERIES);
    }

    @ArchTest
    static final ArchTests rulesOfServices = ArchTests.in(ArchitectureRules.OfServices.class);

    /** Only the API description depends on the kinds of query, and none of them depends on it. */
    @ArchTest
    static final ArchRule roomsAreNotSkippedUpward = layeredArchitecture().consideringOnlyDependenciesInLayers()
            .layer("kinds").definedBy("dev.windrow.gather.buckets", "dev.windrow.gather.busiest", "dev.windrow.gather.live",
                    "dev.windrow.gather.series", "dev.windrow.gather.top", "dev.windrow.gather.totals")
            .layer("openapi").definedBy("dev.windrow.gather.openapi")
            .whereLayer("openapi").mayNotBeAccessedByAnyLayer()
            .whereLayer("kinds").mayOnlyBeAccessedByLayers("openapi");

    /** On a JVM, only this test fails if a document is forgotten. */
    @ArchTest
    static final ArchRule documentsAreKnownToANativeExecutable = classes()
            .that().areRecords().and().haveSimpleNameEndingWith("View")
            .should().beAnnotatedWith(RegisterForReflection.class)
            .because("a native executable can write only documents whose parts are registered");
}
