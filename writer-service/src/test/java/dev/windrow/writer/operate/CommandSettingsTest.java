package dev.windrow.writer.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.windrow.writer.table.JournalConfig;
import io.quarkus.runtime.configuration.DurationConverter;
import io.smallrye.config.WithDefault;

class CommandSettingsTest {

    private static final String QUEUE = "windrow.writer.queue";
    private static final String TIMEOUT = "windrow.check.timeout";
    private static final String GATHER = "windrow.check.gather";
    private static final String API_KEY = "windrow.check.api-key";
    private static final String ENDPOINT = "quarkus.dynamodb.endpoint-override";

    private final List<String> keys = new ArrayList<>();

    @ParameterizedTest
    @ValueSource(strings = { "90s", "PT90S" })
    void durationsHaveTheFormThatTheServicesTake(String text) {
        assertThat(set(TIMEOUT, text).checked(CheckConfig.class).timeout()).isEqualTo(Duration.ofSeconds(90));
    }

    @Test
    void theRegionIsThatOfTheServicesSettings() {
        set("quarkus.sqs.aws.region", "eu-west-3");

        CommandSettings settings = set("quarkus.dynamodb.aws.region", "eu-central-1");

        assertThat(settings.region("dynamodb").id()).isEqualTo("eu-central-1");
        assertThat(settings.region("sqs").id()).isEqualTo("eu-west-3");
    }

    @Test
    void theTimeOfACheckIsMoreThanZero() {
        CommandSettings settings = set(TIMEOUT, "0s");

        assertThatThrownBy(() -> settings.checked(CheckConfig.class).timeout())
                .hasMessageContaining(TIMEOUT)
                .hasMessageContaining("expected more than 0s");
    }

    @ParameterizedTest
    @ValueSource(strings = { "localhost:8080", "gather", "gather host", "http://", "http://:8080", "ftp://gather", "//gather" })
    void anAddressWithoutSchemeOrHostIsNamedWithItsSetting(String value) {
        // Given
        set(GATHER, value);
        CommandSettings settings = set(ENDPOINT, value);

        // Then
        assertThatThrownBy(settings::checkGather).isInstanceOf(IllegalArgumentException.class)
                .hasMessage(GATHER + ": expected the gatherer's address, such as http://localhost:8080, found '" + value + "'");
        assertThatThrownBy(() -> settings.endpoint("dynamodb")).isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(ENDPOINT + ": expected").hasMessageEndingWith("found '" + value + "'");
    }

    @Test
    void addressesMayEndInALineBreak() {
        set(GATHER, "HTTPS://gather:8443/\n");
        assertThat(set(ENDPOINT, "http://127.0.0.1:8000").checkGather()).hasScheme("HTTPS").hasHost("gather").hasPort(8443);
        assertThat(CommandSettings.ofEnvironment().endpoint("dynamodb")).map(URI::toString).contains("http://127.0.0.1:8000");
        assertThat(CommandSettings.ofEnvironment().endpoint("sqs")).isEmpty();
    }

    @Test
    void theApiKeyMayEndInALineBreakAndIsNeverQuoted() {
        assertThat(set(API_KEY, "secret\n").checkApiKey()).contains("secret");

        CommandSettings settings = set(API_KEY, "secret\nother");
        assertThatThrownBy(settings::checkApiKey).hasMessageStartingWith(API_KEY + ": expected")
                .hasMessageNotContainingAny("secret", "other");
    }

    @Test
    void rankedMeasuresAreListedWithOrWithoutBlanks() {
        assertThat(set("windrow.provision.ranked-measures", " best, points ,,plays ").rankedMeasures()).containsExactly("best",
                "plays", "points");
    }

    @ParameterizedTest
    @ValueSource(strings = { "0", "-1" })
    void unitsOfACommandAreMoreThanZero(String wrong) {
        assertThat(CommandSettings.ofEnvironment().checked(SweepConfig.class).maxUnits()).isEqualTo(200);

        CommandSettings settings = set("windrow.sweep.max-units", wrong);

        assertThatThrownBy(() -> settings.checked(SweepConfig.class)).hasMessageContaining("windrow.sweep.max-units")
                .hasMessageContaining("expected more than 0");
    }

    @Test
    void theRetentionOfTheJournalHasTheWritersDefault() throws Exception {
        Duration usual = new DurationConverter()
                .convert(JournalConfig.class.getMethod("retention").getAnnotation(WithDefault.class).value());
        assertThat(CommandSettings.ofEnvironment().journalRetention()).isEqualTo(usual);

        assertThat(set("windrow.writer.journal.retention", "20d").journalRetention()).isEqualTo(Duration.ofDays(20));
    }

    @ParameterizedTest
    @CsvSource({ "clicks, clicks-dlq", "clicks.fifo, clicks-dlq.fifo", "http://sqs/1/clicks, http://sqs/1/clicks-dlq" })
    void theDeadLetterQueueHasTheWritersDefault(String queue, String deadLetterQueue) {
        assertThat(set(QUEUE, queue).deadLetterQueue()).isEqualTo(deadLetterQueue);
    }

    @ParameterizedTest
    @CsvSource({ QUEUE + ", http://sqs/1/clicks", "windrow.writer.dead-letter-queue" + ", http://sqs/1/clicks-dlq",
            QUEUE + ", a.b" })
    void provisionNamesTheSettingOfAQueueThatIsNoName(String setting, String value) {
        CommandSettings settings = set(setting, value);

        assertThatThrownBy(() -> Provision.run(settings)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(setting + ": expected a queue's name, not its URL: 1 to 80 letters")
                .hasMessageEndingWith("found '" + value + "'");
    }

    @Test
    void provisionNamesTheSettingOfATableThatIsNoName() {
        CommandSettings settings = set("windrow.table", "my table");

        assertThatThrownBy(() -> Provision.run(settings)).isInstanceOf(IllegalArgumentException.class)
                .hasMessage("windrow.table: expected a table's name: 3 to 255 letters, digits, '_', '-' or '.',"
                        + " found 'my table'");
    }

    /** Has a setting for as long as the test takes. */
    private CommandSettings set(String key, String value) {
        keys.add(key);
        System.setProperty(key, value);
        return CommandSettings.ofEnvironment();
    }

    @AfterEach
    void clear() {
        keys.forEach(System::clearProperty);
    }
}
