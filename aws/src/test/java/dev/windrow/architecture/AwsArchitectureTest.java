package dev.windrow.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import dev.windrow.testing.ArchitectureRules;

/** Keeps signing apart from everything but credentials, and HTTP from AWS. Quarkus is not on the module's class path. */
@AnalyzeClasses(packages = { "dev.windrow.aws", "dev.windrow.provision" }, importOptions = ImportOption.DoNotIncludeTests.class)
class AwsArchitectureTest {

    private static final String AWS = "dev.windrow.aws";
    private static final DescribedPredicate<JavaClass> HTTP = named(
            "HttpConnection|HttpExchange|HttpResponse|ConnectionPool|ConnectionLimits|EventLoopPools");
    private static final DescribedPredicate<JavaClass> SIGNING = named("SigV4Signer|SignerCache");

    @ArchTest
    static void classesExist(JavaClasses classes) {
        ArchitectureRules.requireClasses(classes, AWS + ".HttpConnection", AWS + ".ConnectionPool", AWS + ".SigV4Signer",
                AWS + ".SignerCache");
    }

    @ArchTest
    static final ArchRule signingKnowsOnlyCredentials = classes().that(SIGNING)
            .should().onlyDependOnClassesThat(SIGNING.or(resideInAnyPackage("java..", "javax.crypto..",
                    "org.apache.commons.codec.digest", "org.jspecify.annotations", "software.amazon.awssdk.identity..")));

    @ArchTest
    static final ArchRule httpKnowsNothingOfAws = classes().that(HTTP).should()
            .onlyDependOnClassesThat(HTTP.or(resideInAnyPackage("java..", "org.jspecify.annotations", "io.netty..",
                    "io.vertx..")));

    private static DescribedPredicate<JavaClass> named(String names) {
        return nameMatching("dev\\.windrow\\.aws\\.(" + names + ")(\\$.*)?").forSubtype();
    }

    /** The client's timeouts and its connections' idle times are elapsed time, whatever clock it is given for signing. */
    @ArchTest
    static final ArchRule packagesAreGivenTimeAndRandomness = ArchitectureRules
            .givenTimeAndRandomness("(?!dev\\.windrow\\.aws\\.AwsJsonClient$)" + AWS);

    @ArchTest
    static final ArchRule packagesHaveNoCycles = ArchitectureRules.noPackageCycles();
}
