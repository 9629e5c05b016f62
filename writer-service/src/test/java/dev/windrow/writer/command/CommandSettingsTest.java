package dev.windrow.writer.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CommandSettingsTest {

    private static final String TABLE = "windrow.table";
    private static final String QUEUE = "windrow.writer.queue";
    private static final String DEAD_LETTER_QUEUE = "windrow.writer.dead-letter-queue";
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

    @ParameterizedTest
    @CsvSource({ "clicks, clicks-dlq", "clicks.fifo, clicks-dlq.fifo", "http://sqs/1/clicks, http://sqs/1/clicks-dlq" })
    void theDeadLetterQueueHasTheWritersDefault(String queue, String deadLetterQueue) {
        System.setProperty(QUEUE, queue);

        assertThat(CommandSettings.ofEnvironment().deadLetterQueue()).isEqualTo(deadLetterQueue);
    }

    @ParameterizedTest
    @CsvSource({ QUEUE + ", http://sqs/1/clicks", DEAD_LETTER_QUEUE + ", http://sqs/1/clicks-dlq", QUEUE + ", a.b" })
    void provisionNamesTheSettingOfAQueueThatIsNoName(String setting, String value) {
        System.setProperty(setting, value);

        assertThatThrownBy(() -> Provision.run(CommandSettings.ofEnvironment())).isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(setting + ": expected a queue's name, not its URL: 1 to 80 letters")
                .hasMessageEndingWith("found '" + value + "'");
    }

    @Test
    void provisionNamesTheSettingOfATableThatIsNoName() {
        System.setProperty(TABLE, "my table");

        assertThatThrownBy(() -> Provision.run(CommandSettings.ofEnvironment())).isInstanceOf(IllegalArgumentException.class)
                .hasMessage("windrow.table: expected a table's name: 3 to 255 letters, digits, '_', '-' or '.',"
                        + " found 'my table'");
    }

    @AfterEach
    void clear() {
        List.of(TIMEOUT, RANKED, UNITS, TABLE, QUEUE, DEAD_LETTER_QUEUE).forEach(System::clearProperty);
    }
}
