package dev.windrow.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;
import com.tngtech.archunit.lang.ArchRule;

import dev.windrow.testing.ArchitectureRules;
import io.quarkus.runtime.annotations.RegisterForReflection;

/** Keeps the pure cores of every query free of frameworks, so that they can be tested and reasoned about alone. */
@AnalyzeClasses(packages = "dev.windrow.gather", importOptions = ImportOption.DoNotIncludeTests.class)
class GatherArchitectureTest {

    private static final String PLAN = "dev\\.windrow\\.gather\\.plan\\.";
    private static final String FANOUT = "dev\\.windrow\\.gather\\.fanout\\.";
    private static final String[] DOCUMENTS = { "dev\\.windrow\\.gather\\.http\\.Problem", FANOUT + "Warning",
            "dev\\.windrow\\.gather\\.render\\.Page", "dev\\.windrow\\.gather\\.render\\.QueryExplanation(\\$[A-Z].*)?" };
    private static final String[] PURE = { PLAN, "dev\\.windrow\\.gather\\.(parameter|label|range|rank)\\.",
            FANOUT + "ShardMerge", "dev\\.windrow\\.gather\\.read\\.Hedging" };

    @ArchTest
    static void coresArePure(JavaClasses classes) {
        ArchitectureRules.requirePure(classes, PURE);
    }

    @ArchTest
    static void documentsExist(JavaClasses classes) {
        ArchitectureRules.requireClasses(classes, DOCUMENTS);
    }

    @ArchTest
    static final ArchTests rulesOfServices = ArchTests.in(ArchitectureRules.OfServices.class);

    /** Layers are used in the order from a request to its answer. */
    @ArchTest
    static final ArchRule roomsAreNotSkippedUpward = layeredArchitecture().consideringOnlyDependenciesInLayers()
            .layer("parameter").definedBy("dev.windrow.gather.parameter")
            .layer("range").definedBy("dev.windrow.gather.range")
            .layer("plan").definedBy("dev.windrow.gather.label", "dev.windrow.gather.plan", "dev.windrow.gather.rank")
            .layer("http").definedBy("dev.windrow.gather.http")
            .layer("read").definedBy("dev.windrow.gather.read")
            .layer("fanout").definedBy("dev.windrow.gather.fanout")
            .layer("render").definedBy("dev.windrow.gather.render")
            .layer("request").definedBy("dev.windrow.gather.request")
            .whereLayer("request").mayNotBeAccessedByAnyLayer()
            .whereLayer("render").mayOnlyBeAccessedByLayers("request")
            .whereLayer("fanout").mayOnlyBeAccessedByLayers("http", "render", "request")
            .whereLayer("read").mayOnlyBeAccessedByLayers("fanout", "http", "render", "request")
            .whereLayer("plan").mayOnlyBeAccessedByLayers("http", "read", "fanout", "render", "request")
            .whereLayer("range").mayOnlyBeAccessedByLayers("plan", "http", "read", "fanout", "render", "request");

    /** On a JVM, only this test fails if a document is forgotten. */
    @ArchTest
    static final ArchRule documentsAreKnownToANativeExecutable = classes()
            .that().areRecords().and().haveSimpleNameEndingWith("View").or().haveNameMatching(String.join("|", DOCUMENTS))
            .should().beAnnotatedWith(RegisterForReflection.class)
            .because("a native executable can write only documents whose parts are registered");
}
