package dev.windrow.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;
import com.tngtech.archunit.lang.ArchRule;

import dev.windrow.testing.ArchitectureRules;
import io.quarkus.runtime.annotations.RegisterForReflection;

/** Keeps PromQL free of frameworks, and apart from the API's own kinds of queries. */
@AnalyzeClasses(packages = "dev.windrow.gather.prometheus", importOptions = ImportOption.DoNotIncludeTests.class)
class PrometheusArchitectureTest {

    private static final String PACKAGE = "dev\\.windrow\\.gather\\.prometheus\\.";
    private static final String[] PROMQL = { PACKAGE + "PromQl", PACKAGE + "Expression", PACKAGE + "Evaluator" };

    @ArchTest
    static void coresArePure(JavaClasses classes) {
        ArchitectureRules.requirePure(classes, PROMQL);
    }

    @ArchTest
    static final ArchTests rulesOfServices = ArchTests.in(ArchitectureRules.OfServices.class);

    @ArchTest
    static final ArchRule metricsAreReadAsQueriesAre = noClasses()
            .should().dependOnClassesThat(resideInAPackage("dev.windrow.gather..").and(not(resideInAnyPackage(
                    "dev.windrow.gather.parameter", "dev.windrow.gather.label", "dev.windrow.gather.range",
                    "dev.windrow.gather.plan",
                    "dev.windrow.gather.read", "dev.windrow.gather.fanout", "dev.windrow.gather.request",
                    "dev.windrow.gather.http", "dev.windrow.gather.security", "dev.windrow.gather.prometheus"))))
            .because("PromQL is a language of its own over the same reads");

    /** On a JVM, nothing else fails if an annotation is missing. */
    @ArchTest
    static final ArchRule answersAreKnownToANativeExecutable = classes()
            .that().haveSimpleName("PrometheusAnswer")
            .should().beAnnotatedWith(RegisterForReflection.class)
            .because("a native executable can write only documents whose parts are registered");
}
