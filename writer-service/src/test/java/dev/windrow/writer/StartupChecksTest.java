package dev.windrow.writer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.jboss.logmanager.LogContext;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.windrow.aws.AwsErrors;
import dev.windrow.aws.RequestFailedException;
import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.DatasetsYaml;
import dev.windrow.local.LocalAws;
import dev.windrow.local.LocalAwsOptions;
import dev.windrow.local.TestClients;
import dev.windrow.local.fault.DynamoDbFaults;
import dev.windrow.local.fault.FaultPlan;
import dev.windrow.local.fault.FaultProxy;
import dev.windrow.provision.ProvisionedQueues;
import dev.windrow.provision.QueueSpec;
import dev.windrow.provision.TableProvisioner.ProvisionException;
import dev.windrow.testing.LogLines;
import dev.windrow.testing.Patience;
import dev.windrow.writer.WriterService.StartupChecks;
import dev.windrow.writer.decode.SourceQueue;
import dev.windrow.writer.queue.QueueResolver;
import dev.windrow.writer.table.JournalConfig;
import dev.windrow.writer.testing.PlainClients;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

class StartupChecksTest {

    private static final Datasets DATASETS = DatasetsYaml.parse("test", """
            windrow:
              datasets:
                hits: {event-type: hit, label: [page], granularities: [day], measures: {hits: {type: count}}}
            """);

    @AutoClose
    private static LocalAws aws;
    private static ProvisionedQueues queues;
    private static int tables;

    @BeforeAll
    static void startServers() {
        aws = LocalAws.start(LocalAwsOptions.forTests().withoutProvisioning());
        queues = aws.createQueue(QueueSpec.named("events").withMaxReceiveCount(7));
    }

    @BeforeEach
    void createTable() {
        aws.createTable("table-" + ++tables);
    }

    @Test
    void findsQueuesWithWhatTheFlowMustKnow() {
        List<SourceQueue> found = pass(Map.of());

        assertThat(found).singleElement().satisfies(queue -> {
            assertThat(queue.maxReceives()).isEqualTo(7);
            assertThat(queue.deadLetterUrl()).isEqualTo(queues.deadLetterUrl());
        });
    }

    /** The queue moves a message when it would be received for the eighth time, as a writer with 7 does. */
    @ParameterizedTest
    @CsvSource({ "7, true", "6, false" })
    void warnsOfAQueueThatMovesMessagesBeforeTheWriterDoes(String maxReceives, boolean warns) {
        List<String> lines = warnings(Map.of("windrow.writer.source.max-receive-count", maxReceives));

        assertThat(lines).isEqualTo(!warns ? List.of()
                : List.of(
                        "WARN SQS will move messages to the dead-letter queue before the writer can"
                                + " send them with a reason; starting anyway: queue=events"
                                + " detail=\"windrow.writer.source.max-receive-count: must be less than maxReceiveCount of the queue's"
                                + " redrive policy, 7, found 7; raise maxReceiveCount or lower the setting\""));
    }

    @Test
    void doesNotWarnOfAQueueThatMovesNothing() {
        // Given a queue without a redrive policy, and a writer that never gives up
        String url = aws.sqs().createQueue(request -> request.queueName("unlimited")).join().queueUrl();

        // Then
        assertThat(warnings(Map.of("windrow.writer.queue", url, "windrow.writer.source.max-receive-count",
                String.valueOf(Integer.MAX_VALUE)))).isEmpty();
    }

    @Test
    void warnsOnceThoughTheChecksAreRepeated() {
        // Given a queue that moves messages early, and no table yet
        Map<String, String> settings = Map.of("windrow.table", "late");
        try (LogLines lines = linesOf(StartupChecks.class)) {
            assertThatThrownBy(() -> pass(settings)).isInstanceOf(ResourceNotFoundException.class);
            assertThat(lines.all()).isEmpty();
            aws.createTable("late");

            // When
            pass(settings);

            // Then
            assertThat(lines.all()).singleElement().asString().startsWith("WARN ").contains("policy, 7, found 90;");
        }
    }

    @Test
    void refusesToSendDeadLettersToTheQueueTheyComeFrom() {
        assertThatThrownBy(() -> pass(Map.of("windrow.writer.dead-letter-queue", queues.url())))
                .isInstanceOfSatisfying(InvalidInputException.class,
                        refusal -> assertThat(refusal.reason()).isEqualTo(Reason.INVALID_SETTING))
                .hasMessageContaining("windrow.writer.dead-letter-queue");
    }

    @Test
    void refusesARetentionShorterThanTheQueues() {
        assertThatThrownBy(() -> pass(Map.of("windrow.writer.journal.retention", "1d")))
                .isInstanceOf(InvalidInputException.class)
                .hasMessage("windrow.writer.journal.retention: must be longer than the 4d that queue events keeps messages,"
                        + " found 1d");
    }

    @Test
    void waitsForAQueueThatIsMissingAndNamesIt() {
        // Given no dead-letter queue of the name that follows from the queue's
        Map<String, String> settings = Map.of("windrow.writer.queue", "lonely", "windrow.writer.dead-letter-queue", "");

        // When
        Throwable failure = catchThrowable(() -> pass(settings));

        // Then
        assertWaits(failure, "unavailable", "queue lonely-dlq: ", "does not exist");
    }

    @Test
    void aQueueThatIsMissingIsNamedWhicheverItIs() {
        assertMissing("queue lonely-dlq: ", List.of("events"), "lonely-dlq");
        assertMissing("queue lonely: ", List.of("events", "lonely"), "events-dlq");
        String url = queues.url() + "-of-others";
        assertMissing("queue " + url + ": ", List.of(url), "events-dlq");
    }

    private static void assertMissing(String named, List<String> names, String deadLetters) {
        assertThatThrownBy(() -> new QueueResolver(aws.sqs()).find(names, deadLetters).await().atMost(Patience.LIMIT))
                .isInstanceOf(RequestFailedException.class).hasMessageStartingWith(named)
                .hasMessageContaining("does not exist")
                .satisfies(failure -> assertThat(AwsErrors.reason(failure)).isEqualTo(Reason.UNAVAILABLE));
    }

    @Test
    void waitsForATableThatHasOtherKeysAndNamesThem() {
        // Given
        aws.dynamoDb().createTable(request -> request.tableName("other").billingMode(BillingMode.PAY_PER_REQUEST)
                .keySchema(KeySchemaElement.builder().attributeName("id").keyType(KeyType.HASH).build())
                .attributeDefinitions(AttributeDefinition.builder().attributeName("id")
                        .attributeType(ScalarAttributeType.S).build()))
                .join();

        // When
        Throwable failure = catchThrowable(() -> pass(Map.of("windrow.table", "other")));

        // Then
        assertThat(failure).isInstanceOfSatisfying(ProvisionException.class,
                problem -> assertThat(problem.reason()).isEqualTo(Reason.SCHEMA_MISMATCH))
                .hasMessageContaining("pk (HASH, S)").hasMessageContaining("id (HASH, S)");
        assertWaits(failure, "schema-mismatch", "pk (HASH, S)");
    }

    @Test
    void refusesDatasetsThatTheTableWasNotWrittenWith() {
        pass(Map.of());
        Datasets edited = DatasetsYaml.parse("test", """
                windrow:
                  datasets:
                    hits: {event-type: hit, label: [page], granularities: [hour, day], measures: {hits: {type: count}}}
                """);

        assertThatThrownBy(() -> pass(Map.of(), edited)).isInstanceOfSatisfying(
                InvalidInputException.class, refusal -> assertThat(refusal.reason()).isEqualTo(Reason.DATASETS_CHANGED));
    }

    private static List<SourceQueue> pass(Map<String, String> settings) {
        return pass(settings, DATASETS);
    }

    @ParameterizedTest
    @CsvSource({ "GetItem, the role may not read the journal", "UpdateItem, the role may not update item ~datasets" })
    void waitsForARoleThatMayDoWhatItHasTo(String operation, String expected) {
        try (FaultProxy proxy = FaultProxy.start(aws.dynamoDbEndpoint(),
                FaultPlan.always(DynamoDbFaults.accessDenied()).onlyFor(operation));
                DynamoDbAsyncClient denied = TestClients.dynamoDb(proxy.endpoint())) {
            Throwable failure = catchThrowable(() -> pass(Map.of(), DATASETS, denied));

            assertWaits(failure, "access-denied", expected);
        }
    }

    private static List<SourceQueue> pass(Map<String, String> settings, Datasets datasets) {
        return pass(settings, datasets, aws.dynamoDb());
    }

    /** What checks log that pass. */
    private static List<String> warnings(Map<String, String> settings) {
        try (LogLines lines = linesOf(StartupChecks.class)) {
            pass(settings);
            return List.copyOf(lines.all());
        }
    }

    /** Requires that the service waits, says in readiness what for, and logs it with its reason. */
    private static void assertWaits(Throwable failure, String reason, String... parts) {
        WriterState state = new WriterState();
        WriterConfig config = config(Map.of()).getConfigMapping(WriterConfig.class);
        try (LogLines lines = linesOf(WriterService.class)) {
            new WriterService(new WriterWiring(config, null, null, null, null, null, null, null, state, null, null), null)
                    .waitFor(failure);
            assertThat(state.waitingFor()).contains(parts);
            assertThat(String.join("\n", lines.all())).contains("reason=" + reason).contains(parts);
        }
    }

    private static SmallRyeConfig config(Map<String, String> settings) {
        Map<String, String> all = new HashMap<>(Map.of("windrow.datasets-file", "none", "windrow.table", "table-" + tables,
                "windrow.writer.queue", queues.url(),
                "windrow.writer.dead-letter-queue", queues.deadLetterUrl()));
        all.putAll(settings);
        return new SmallRyeConfigBuilder().addDiscoveredConverters().withMapping(WriterConfig.class)
                .withMapping(QueueConfig.class).withMapping(JournalConfig.class)
                .withSources(new PropertiesConfigSource(all, "test", 100)).build();
    }

    private static List<SourceQueue> pass(Map<String, String> settings, Datasets datasets, DynamoDbAsyncClient dynamoDb) {
        SmallRyeConfig config = config(settings);
        return new StartupChecks(config.getConfigMapping(WriterConfig.class), config.getConfigMapping(QueueConfig.class),
                config.getConfigMapping(JournalConfig.class), aws.sqs(), dynamoDb,
                PlainClients.table(dynamoDb, config.getConfigMapping(WriterConfig.class).table())).pass(datasets).await()
                .atMost(Patience.LIMIT);
    }

    private static LogLines linesOf(Class<?> type) {
        return LogLines.of(LogContext.getLogContext().getLogger(type.getName()));
    }
}
