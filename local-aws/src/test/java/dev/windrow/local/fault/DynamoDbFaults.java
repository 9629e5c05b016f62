package dev.windrow.local.fault;

import java.util.Map;
import java.util.StringJoiner;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.windrow.local.fault.Exchange.Cancellation;

/** Failures in the words of DynamoDB's API (API reference, "Error handling" and "TransactWriteItems"). */
public final class DynamoDbFaults {

    static final String PREFIX = "com.amazonaws.dynamodb.v20120810#";
    static final String CORAL_PREFIX = "com.amazon.coral.service#";

    private DynamoDbFaults() {
    }

    /** Status 500: DynamoDB failed, and may have carried the request out or not. Here it has not. */
    public static Fault internalServerError() {
        return error(500, PREFIX, "InternalServerError", "The request processing has failed because of an unknown error");
    }

    /** The table's or the partition's throughput is used up. */
    public static Fault throughputExceeded() {
        return error(400, PREFIX, "ProvisionedThroughputExceededException",
                "The level of configured provisioned throughput for the table was exceeded.");
    }

    /** A partition key of an index gets more writes than its partition takes. */
    public static Fault indexKeyThrottled(String index) {
        String type = "ProvisionedThroughputExceededException";
        ObjectNode body = ProxiedRequest.JSON.createObjectNode().put("__type", PREFIX + type).put("message", "hot");
        body.putArray("ThrottlingReasons").addObject().put("reason", "IndexWriteKeyRangeThroughputExceeded")
                .put("resource", "arn:aws:dynamodb:us-east-1:000000000000:table/t/index/" + index);
        return new Fault.Answer(type, 400, Map.of(), body);
    }

    /** The account's control or data plane throttles the request. */
    public static Fault throttled() {
        return error(400, CORAL_PREFIX, "ThrottlingException", "Rate of requests exceeds the allowed throughput.");
    }

    /** The credentials that signed the request are no longer valid. */
    public static Fault expiredToken() {
        return error(400, CORAL_PREFIX, "ExpiredTokenException", "The security token included in the request is expired");
    }

    /** The role may not do that, or not with items of that partition key. */
    public static Fault accessDenied() {
        return error(400, CORAL_PREFIX, "AccessDeniedException",
                "User is not authorized to perform: dynamodb:UpdateItem because no identity-based policy allows it");
    }

    /** An error of the client's making, of whatever name. */
    public static Fault clientError(String type, String message) {
        return error(400, PREFIX, type, message);
    }

    /**
     * A transaction is cancelled for one of its items; the others have the reason None.
     *
     * @param item the position of the item
     */
    public static Fault transactionCanceled(ProxiedRequest request, Cancellation cancellation, int item) {
        return transactionCanceled(request, Map.of(item, cancellation), Map.of());
    }

    /**
     * A transaction is cancelled for several of its items; the others have the reason None.
     *
     * @param cancellations by the position of the item
     * @param states of items whose condition failed, if the request wants them, in DynamoDB's JSON and by position
     */
    public static Fault transactionCanceled(ProxiedRequest request, Map<Integer, Cancellation> cancellations,
            Map<Integer, ObjectNode> states) {
        ObjectNode body = ProxiedRequest.JSON.createObjectNode();
        body.put("__type", PREFIX + "TransactionCanceledException");
        ArrayNode reasons = body.putArray("CancellationReasons");
        StringJoiner codes = new StringJoiner(", ", "[", "]");
        StringJoiner kind = new StringJoiner("+", "transaction-", "");
        int items = request.body().path("TransactItems").size();
        for (int i = 0; i < items; i++) {
            ObjectNode reason = reasons.addObject();
            Cancellation cancellation = cancellations.get(i);
            reason.put("Code", cancellation == null ? "None" : cancellation.code());
            if (cancellation != null) {
                reason.put("Message", cancellation.message());
                kind.add(cancellation.code());
            }
            if (states.containsKey(i)) {
                reason.set("Item", states.get(i));
            }
            codes.add(reason.path("Code").asText());
        }
        body.put("Message", "Transaction cancelled, please refer cancellation reasons for specific reasons " + codes);
        return new Fault.Answer(kind.toString(), 400, Map.of(), body);
    }

    /** Cancels each transaction, at a random item. */
    public static FaultPlan transactionCanceled(Cancellation cancellation, RandomGenerator random) {
        FaultPlan plan = request -> transactionCanceled(request, cancellation,
                random.nextInt(request.body().path("TransactItems").size()));
        return plan.onlyFor("TransactWriteItems");
    }

    /** Queries of an index that is still being built (DynamoDB developer guide, "Adding a global secondary index"). */
    public static FaultPlan indexBeingBuilt(Predicate<String> index) {
        return request -> {
            String name = request.operation().equals("Query") ? request.body().path("IndexName").asText() : "";
            return index.test(name)
                    ? error(400, CORAL_PREFIX, "ValidationException",
                            "Cannot read from backfilling global secondary index: " + name)
                    : new Fault.Pass();
        };
    }

    static Fault error(int status, String prefix, String type, String message) {
        ObjectNode body = ProxiedRequest.JSON.createObjectNode().put("__type", prefix + type).put("message", message);
        return new Fault.Answer(type, status, Map.of(), body);
    }
}
