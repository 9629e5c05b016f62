package dev.windrow.writer.table;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.windrow.aws.AwsResponse;
import dev.windrow.base.Reason;
import dev.windrow.local.TestClients;
import dev.windrow.local.fault.ErrorCases;
import dev.windrow.local.fault.ErrorCases.ErrorCase;
import dev.windrow.local.fault.Fault;
import dev.windrow.local.fault.FaultPlan;
import dev.windrow.local.fault.FaultProxy;
import dev.windrow.table.Lane;
import dev.windrow.testing.Patience;
import dev.windrow.writer.testing.PlainClients;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The reasons of failed writes, and the failures of cancelled transactions by the reasons of their items. */
class TableErrorsTest {

    private static final Duration PATIENCE = Patience.LIMIT;
    /** Nothing listens here: the proxy answers itself. */
    private static final URI NOWHERE = URI.create("http://127.0.0.1:9");
    private static final ItemUpdate UPDATE = new ItemUpdate("p", "s");
    private static final Map<String, AttributeValue> ITEM = Map.of("n", AttributeValue.fromN("1"));

    @AutoClose
    private static FaultProxy proxy;
    @AutoClose
    private static DynamoDbAsyncClient sdk;

    @BeforeAll
    static void start() {
        proxy = FaultProxy.start(NOWHERE, FaultPlan.none());
        sdk = TestClients.dynamoDb(proxy.endpoint());
    }

    static List<ErrorCase> errors() {
        return ErrorCases.dynamoDb();
    }

    @ParameterizedTest
    @MethodSource("errors")
    void anErrorHasTheReasonOfTheContract(ErrorCase error) {
        proxy.use(FaultPlan.always(error.fault()));
        TableClient table = new DynamoTable(PlainClients.table(sdk, "t").client(), "t", error.requestTimeout());
        for (TableWrite write : List.of(TableWrite.single(UPDATE), new TableWrite(List.of(UPDATE, UPDATE)))) {
            WriteFailedException failure = catchThrowableOfType(WriteFailedException.class,
                    () -> table.write(write).await().atMost(PATIENCE));

            assertThat(failure).isNotNull();
            assertThat(failure.reason()).isEqualTo(error.reason());
        }
    }

    /** The next response may be readable, and a write may have been applied. */
    @Test
    void anAnswerThatCannotBeReadIsRetriedLikeNone() {
        // Given bytes that are not Base64
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        body.putObject("Item").putObject("data").put("B", "?");
        proxy.use(FaultPlan.always(new Fault.Answer("malformed", 200, Map.of(), body)));

        // When
        WriteFailedException failure = catchThrowableOfType(WriteFailedException.class,
                () -> new DynamoTable(PlainClients.table(sdk, "t").client(), "t", PATIENCE).read("p", "s").await()
                        .atMost(PATIENCE));

        // Then
        assertThat(failure.reason()).isEqualTo(Reason.UNAVAILABLE);
        assertThat(failure.isRetryable()).isTrue();
        assertThat(failure.detail()).startsWith("malformed response: ");
    }

    /** Taken for absent, a lane would start over at position 0, or lose what it has deferred. */
    @ParameterizedTest
    @ValueSource(strings = { "{'BOOL':true}", "{'NULL':true}", "{'M':{}}", "{'L':[]}", "{'SS':['5']}", "{'NS':['5']}" })
    void anAttributeOfAnotherTypeIsNotTakenForAbsent(String value) throws IOException {
        // Given
        String item = "{'epoch':{'N':'1'},'position':{'N':'5'},'applied':{'N':'5'},'deferred':" + value + "}";
        proxy.use(FaultPlan.always(new Fault.Answer("other-type", 200, Map.of(),
                (ObjectNode) new ObjectMapper().readTree(("{'Item':" + item + "}").replace('\'', '"')))));

        // When
        Lane lane = JournalItems.lane(0, new DynamoTable(PlainClients.table(sdk, "t").client(), "t", PATIENCE).read("p", "s")
                .await().atMost(PATIENCE));

        // Then
        assertThat(lane.damage()).isEqualTo("expected a whole number as deferred, found another type");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "none", value = {
            "[{'reason':'IndexWriteKeyRangeThroughputExceeded','resource':'arn:aws:dynamodb:x:1:table/t/index/scatter'}] | true | scatter",
            "[{'resource':'t','reason':'TableWriteKeyRangeThroughputExceeded'}] | true | table",
            "[{'reason':'TableWriteKeyRangeThroughputExceeded'},{'reason':'TableWriteAccountLimitExceeded'}] | false | unknown",
            "[{'reason':'TableWriteProvisionedThroughputExceeded'}] | false | unknown",
            "[] | false | unknown", "[{'reason':3}] | false | unknown", "'odd' | false | unknown",
            "null | false | unknown",
    })
    void aThrottleSaysWhatIsThrottled(String reasons, boolean forKey, String resource)
            throws IOException {
        String body = "{\"__type\":\"com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException\","
                + "\"message\":\"slow down\",\"ThrottlingReasons\":" + reasons.replace('\'', '"') + "}";

        RuntimeException failure = DynamoTable.failure(new AwsResponse(400, body.getBytes(UTF_8)));

        assertThat(failure).isInstanceOfSatisfying(WriteFailedException.class, throttled -> {
            assertThat(throttled.reason()).isEqualTo(Reason.THROTTLED);
            assertThat(throttled.isForKey()).isEqualTo(forKey);
            assertThat(throttled.throttled()).isEqualTo(resource);
        });
    }

    /** A failed condition counts, beside other failures, unless it is unknown whether the first item's condition holds. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "TransactionConflict None C           | contention at 0",
            "ThrottlingError None C               | throttled at 0",
            "ProvisionedThroughputExceeded None C | throttled at 0",
            "ValidationError None C               | refused at 0",
            "SomethingNew None C                  | unknown-error at 0",
            "None TransactionConflict C           | conditions of [2]",
            "C TransactionConflict C              | conditions of [0, 2]",
            "None ThrottlingError ValidationError | throttled at 1",
    })
    void aCancelledTransactionFailsAsTheReasonsOfItsItemsSay(String codes, String expected)
            throws IOException {
        ArrayNode reasons = JsonNodeFactory.instance.arrayNode();
        Stream.of(codes.split(" ")).forEach(code -> reasons.addObject()
                .put("Code", code.equals("C") ? "ConditionalCheckFailed" : code).put("Message", "as DynamoDB says it")
                .putObject("Item").putObject("n").put("N", "1"));

        RuntimeException failure = DynamoTable.cancelled(reasons, "cancelled");

        if (failure instanceof ConditionFailedException conditions) {
            assertThat("conditions of " + conditions.items().keySet()).isEqualTo(expected);
            assertThat(conditions.items().values()).containsOnly(ITEM);
        } else {
            WriteFailedException failed = (WriteFailedException) failure;
            assertThat(failed.reason().word() + " at " + failed.position()).isEqualTo(expected);
        }
    }

    @Test
    void withoutReasonsTheTableIsUnavailable() throws IOException {
        assertThat(DynamoTable.cancelled(MissingNode.getInstance(), "cancelled")).isInstanceOfSatisfying(
                WriteFailedException.class,
                failed -> {
                    assertThat(failed.reason()).isEqualTo(Reason.UNAVAILABLE);
                    assertThat(failed.detail()).isEqualTo("cancelled");
                });
    }
}
