package dev.windrow.writer.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CommandSettingsTest {

    private static final String TIMEOUT = "windrow.check.timeout";
    private static final String RANKED = "windrow.provision.ranked-measures";
    private static final String UNITS = "windrow.rank.max-units";

    @ParameterizedTest
    @ValueSource(strings = { "90s", "PT90S" })
    void durationsHaveTheFormThatTheServicesTake(String text) {
        // Given
        System.setProperty(TIMEOUT, text);

        // When
        CommandSettings settings = CommandSettings.ofEnvironment();

        // Then
        assertThat(settings.checkTimeout()).isEqualTo(Duration.ofSeconds(90));
    }

    @Test
    void rankedMeasuresAreListedWithOrWithoutBlanks() {
        System.setProperty(RANKED, " best, points ,,plays ");

        assertThat(CommandSettings.ofEnvironment().rankedMeasures()).containsExactly("best", "plays", "points");
    }

    @Test
    void unitsOfTheCommandRankAreMoreThanZero() {
        assertThat(CommandSettings.ofEnvironment().rankUnits()).isEqualTo(200);

        System.setProperty(UNITS, "0");

        assertThatThrownBy(() -> CommandSettings.ofEnvironment().rankUnits()).hasMessageContaining(UNITS)
                .hasMessageContaining("expected more than 0");
    }

    @AfterEach
    void clear() {
        List.of(TIMEOUT, RANKED, UNITS).forEach(System::clearProperty);
    }
}
