package dev.windrow.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.windrow.local.LocalAwsOptions.LocalAwsOption;
import dev.windrow.provision.QueueProvisioner.QueueSpec;

class LocalAwsSettingsTest {

    @Test
    void takesTheContractsPortsWhenNothingIsSaid() {
        assertThat(read()).isEqualTo(LocalAwsOptions.forPeople());
        assertThat(read().dynamoDbPort()).isEqualTo(8000);
        assertThat(read().sqsPort()).isEqualTo(9324);
        assertThat(read().host()).isEqualTo("127.0.0.1");
    }

    @Test
    void readsEveryOption() {
        LocalAwsOptions options = read("--host=0.0.0.0", "--dynamodb-port=0", "--sqs-port=65535", "--folder=data",
                "--table=mine", "--queue=jobs", "--visibility-timeout=7", "--max-receive-count=2", "--provision=false");

        assertThat(options.host()).isEqualTo("0.0.0.0");
        assertThat(options.dynamoDbPort()).isZero();
        assertThat(options.sqsPort()).isEqualTo(65_535);
        assertThat(options.folder()).contains(Path.of("data"));
        assertThat(options.table().name()).isEqualTo("mine");
        assertThat(options.queue().name()).isEqualTo("jobs");
        assertThat(options.queue().deadLetterName()).isEqualTo("jobs-dlq");
        assertThat(options.queue().visibilityTimeout()).isEqualTo(Duration.ofSeconds(7));
        assertThat(options.queue().maxReceiveCount()).isEqualTo(2);
        assertThat(options.provision()).isFalse();
    }

    @Test
    void readsVariablesBelowArguments() {
        Map<String, String> environment = Map.of("WINDROW_LOCAL_SQS_PORT", "1", "WINDROW_LOCAL_DYNAMODB_PORT", "2",
                "WINDROW_LOCAL_FOLDER", "", "PATH", "/bin");

        LocalAwsOptions options = LocalAwsSettings.read(List.of("--sqs-port=3"), environment);

        assertThat(options.sqsPort()).isEqualTo(3);
        assertThat(options.dynamoDbPort()).isEqualTo(2);
        assertThat(options.folder()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            --port=1,                   --port: no such option
            --sqs_port=1,               --sqs_port: no such option
            --sqs-port=x,               --sqs-port: expected a whole number
            --sqs-port=65536,           sqs port: expected from 0 (any free port) to 65535
            --dynamodb-port=-1,         dynamodb port: expected from 0 (any free port) to 65535
            --provision=yes,            --provision: expected true or false
            --table=a,                  table name: expected 3 to 255
            --queue=a b,                queue name: expected 1 to 80
            --max-receive-count=0,      max receive count: expected from 1 to 1000
            --visibility-timeout=43201, visibility timeout: expected whole seconds from 0s to 12h
            """)
    void namesTheOptionThatIsWrong(String argument, String message) {
        assertThatThrownBy(() -> read(argument)).isInstanceOf(IllegalArgumentException.class).hasMessageContaining(message);
    }

    @ParameterizedTest
    @ValueSource(strings = { "8000", "-p", "--sqs-port", "--folder=" })
    void refusesWhatIsNoOptionWithValue(String argument) {
        assertThatThrownBy(() -> read(argument)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(argument + ": expected an option such as");
    }

    @Test
    void namesTheVariableThatIsWrong() {
        assertThatThrownBy(() -> LocalAwsSettings.read(List.of(), Map.of("WINDROW_LOCAL_SQSPORT", "1")))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("WINDROW_LOCAL_SQSPORT: no such option");
        assertThatThrownBy(() -> LocalAwsSettings.read(List.of(), Map.of("WINDROW_LOCAL_SQS_PORT", "x")))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("WINDROW_LOCAL_SQS_PORT: expected");
    }

    @Test
    void helpNamesEveryOption() {
        for (LocalAwsOption option : LocalAwsOption.values()) {
            assertThat(LocalAwsMain.help()).contains("--" + option.word() + "=");
        }
    }

    @Test
    void helpStatesTheDefaultsOfTheQueue() {
        QueueSpec queue = read().queue();

        assertThat(LocalAwsOption.MAX_RECEIVE_COUNT.help()).endsWith("(" + queue.maxReceiveCount() + ")");
        assertThat(LocalAwsOption.VISIBILITY_TIMEOUT.help()).endsWith("(" + queue.visibilityTimeout().toSeconds() + ")");
        assertThat(LocalAwsOption.QUEUE.help()).endsWith("(" + queue.name() + ")");
    }

    private static LocalAwsOptions read(String... arguments) {
        return LocalAwsSettings.read(List.of(arguments), Map.of());
    }
}
