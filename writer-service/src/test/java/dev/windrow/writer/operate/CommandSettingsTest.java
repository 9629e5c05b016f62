package dev.windrow.writer.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.windrow.writer.operate.Check.CheckConfig;
import dev.windrow.writer.operate.TableSweep.SweepConfig;
import dev.windrow.writer.operate.WriterMain.CommandSettings;
import dev.windrow.writer.operate.WriterMain.Provision;
import dev.windrow.writer.table.JournalRun.JournalConfig;
import io.quarkus.runtime.configuration.DurationConverter;
import io.smallrye.config.WithDefault;

class CommandSettingsTest {

    private static final String TABLE = "windrow.table";
    private static final String QUEUE = "windrow.writer.queue";
    private static final String DEAD_LETTER_QUEUE = "windrow.writer.dead-letter-queue";
    private static final String TIMEOUT = "windrow.check.timeout";
    private static final String GATHER = "windrow.check.gather";
    private static final String API_KEY = "windrow.check.api-key";
    private static final String ENDPOINT = "quarkus.dynamodb.endpoint-override";
    private static final String RANKED = "windrow.provision.ranked-measures";
    private static final String UNITS = "windrow.sweep.max-units";
    private static final String RETENTION = "windrow.writer.journal.retention";

    @ParameterizedTest
    @ValueSource(strings = { "90s", "PT90S" })
    void durationsHaveTheFormThatTheServicesTake(String text) {
        // Given
        System.setProperty(TIMEOUT, text);

        // When
        CommandSettings settings = CommandSettings.ofEnvironment();

        // Then
        assertThat(settings.checked(CheckConfig.class).timeout()).isEqualTo(Duration.ofSeconds(90));
    }

    @Test
    void theTimeOfACheckIsMoreThanZero() {
        System.setProperty(TIMEOUT, "0s");

        assertThatThrownBy(() -> CommandSettings.ofEnvironment().checked(CheckConfig.class).timeout())
                .hasMessageContaining(TIMEOUT)
                .hasMessageContaining("expected more than 0s");
    }

    @ParameterizedTest
    @ValueSource(strings = { "localhost:8080", "gather", "gather host", "http://", "http://:8080", "ftp://gather", "//gather" })
    void anAddressWithoutSchemeOrHostIsNamedWithItsSetting(String value) {
        // Given
        System.setProperty(GATHER, value);
        System.setProperty(ENDPOINT, value);

        // When
        CommandSettings settings = CommandSettings.ofEnvironment();

        // Then
        assertThatThrownBy(settings::checkGather).isInstanceOf(IllegalArgumentException.class)
                .hasMessage(GATHER + ": expected the gatherer's address, such as http://localhost:8080, found '" + value + "'");
        assertThatThrownBy(() -> settings.endpoint("dynamodb")).isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(ENDPOINT + ": expected").hasMessageEndingWith("found '" + value + "'");
    }

    @Test
    void addressesMayEndInALineBreak() {
        System.setProperty(GATHER, "HTTPS://gather:8443/\n");
        System.setProperty(ENDPOINT, "http://127.0.0.1:8000");

        assertThat(CommandSettings.ofEnvironment().checkGather()).hasScheme("HTTPS").hasHost("gather").hasPort(8443);
        assertThat(CommandSettings.ofEnvironment().endpoint("dynamodb")).map(URI::toString).contains("http://127.0.0.1:8000");
        assertThat(CommandSettings.ofEnvironment().endpoint("sqs")).isEmpty();
    }

    @Test
    void theApiKeyMayEndInALineBreakAndIsNeverQuoted() {
        // Given
        System.setProperty(API_KEY, "secret\n");

        // Then
        assertThat(CommandSettings.ofEnvironment().checkApiKey()).contains("secret");

        // And given
        System.setProperty(API_KEY, "secret\nother");

        // Then
        assertThatThrownBy(() -> CommandSettings.ofEnvironment().checkApiKey()).hasMessageStartingWith(API_KEY + ": expected")
                .hasMessageNotContainingAny("secret", "other");
    }

    @Test
    void rankedMeasuresAreListedWithOrWithoutBlanks() {
        System.setProperty(RANKED, " best, points ,,plays ");

        assertThat(CommandSettings.ofEnvironment().rankedMeasures()).containsExactly("best", "plays", "points");
    }

    @ParameterizedTest
    @ValueSource(strings = { "0", "-1" })
    void unitsOfACommandAreMoreThanZero(String wrong) {
        assertThat(CommandSettings.ofEnvironment().checked(SweepConfig.class).maxUnits()).isEqualTo(200);

        System.setProperty(UNITS, wrong);

        assertThatThrownBy(() -> CommandSettings.ofEnvironment().checked(SweepConfig.class)).hasMessageContaining(UNITS)
                .hasMessageContaining("expected more than 0");
    }

    @Test
    void theRetentionOfTheJournalHasTheWritersDefault() throws Exception {
        Duration usual = new DurationConverter()
                .convert(JournalConfig.class.getMethod("retention").getAnnotation(WithDefault.class).value());
        assertThat(CommandSettings.ofEnvironment().journalRetention()).isEqualTo(usual);

        System.setProperty(RETENTION, "20d");

        assertThat(CommandSettings.ofEnvironment().journalRetention()).isEqualTo(Duration.ofDays(20));
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
        List.of(TIMEOUT, GATHER, API_KEY, ENDPOINT, RANKED, UNITS, RETENTION, TABLE, QUEUE,
                DEAD_LETTER_QUEUE)
                .forEach(System::clearProperty);
    }
}
