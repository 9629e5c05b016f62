package dev.windrow.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

import org.junit.jupiter.api.Test;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;

import dev.windrow.testing.cycle.Above;

class ArchitectureRulesTest {

    private static final String CYCLE = "dev.windrow.testing.cycle";

    private final JavaClasses withCycle = new ClassFileImporter().importPackages(CYCLE);

    @Test
    void aCycleOfAPackageAndTheOneBelowItIsFound() {
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> ArchitectureRules.noPackageCycles().check(withCycle))
                .withMessageContaining("Cycle detected").withMessageContaining(CYCLE + ".below");
        ArchitectureRules.noPackageCycles().check(new ClassFileImporter().importClasses(Above.class, Seeds.class));
    }

    @Test
    void aPurePackageThatReadsTheClockIsFoundAlsoBelow() {
        ArchRule rule = ArchitectureRules.givenTimeAndRandomness(CYCLE);
        assertThat(rule.evaluate(withCycle).getFailureReport().getDetails()).hasSize(2)
                .anyMatch(detail -> detail.contains("Instant.now()"))
                .anyMatch(detail -> detail.contains("System.nanoTime()"));
    }

    @Test
    void aRuleAboutAPackageWithoutClassesFails() {
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> ArchitectureRules.requireClasses(withCycle, CYCLE, "dev.windrow.gone"))
                .withMessageContaining("[dev.windrow.gone]");
        assertThatNoException().isThrownBy(() -> ArchitectureRules.requireClasses(withCycle, CYCLE));
    }
}
