package dev.windrow.writer.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CommandSettingsTest {

    private static final String TIMEOUT = "windrow.check.timeout";

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

    @AfterEach
    void clear() {
        System.clearProperty(TIMEOUT);
    }
}
