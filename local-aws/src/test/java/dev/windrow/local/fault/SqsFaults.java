package dev.windrow.local.fault;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Failures in the words of SQS's JSON protocol (API reference, "Common errors" and "DeleteMessageBatch"). */
public final class SqsFaults {

    private static final String PREFIX = "com.amazonaws.sqs#";

    private SqsFaults() {
    }

    /** Status 500: SQS failed, and has not carried the request out. */
    public static Fault internalError() {
        return error(500, "InternalError", "InternalFailure;Receiver", "We encountered an internal error.");
    }

    public static Fault throttled() {
        return error(403, "RequestThrottled", "RequestThrottled;Sender", "Request is throttled.");
    }

    /** The credentials that signed the request are no longer valid. */
    public static Fault expiredToken() {
        return error(403, "ExpiredToken", "ExpiredToken;Sender", "The security token included in the request is expired");
    }

    /**
     * Carries a batch of deletes or visibility changes out for some entries only and reports the others as failed, so
     * that the sender may try them again.
     *
     * @param random chooses the entries that fail
     * @param share of the entries that fails, from 0 to 1
     */
    public static FaultPlan entriesFail(RandomGenerator random, double share) {
        FaultPlan plan = request -> {
            ObjectNode reduced = request.body().deepCopy();
            List<String> failed = new ArrayList<>();
            for (Iterator<JsonNode> entries = reduced.path("Entries").iterator(); entries.hasNext();) {
                String id = entries.next().path("Id").asText();
                if (random.nextDouble() < share) {
                    failed.add(id);
                    entries.remove();
                }
            }
            return reduced.path("Entries").isEmpty()
                    ? new Fault.Answer("entries-fail", 200, Map.of(), withFailed(emptyAnswer(), failed))
                    : new Fault.Reshape("entries-fail", original -> reduced, answer -> withFailed(answer, failed));
        };
        return plan.onlyFor("DeleteMessageBatch", "ChangeMessageVisibilityBatch");
    }

    private static ObjectNode emptyAnswer() {
        ObjectNode answer = ProxiedRequest.JSON.createObjectNode();
        answer.putArray("Successful");
        return answer;
    }

    private static ObjectNode withFailed(ObjectNode answer, List<String> failed) {
        ArrayNode entries = answer.withArray("/Failed");
        for (String id : failed) {
            entries.addObject().put("Id", id).put("Code", "InternalError").put("SenderFault", false)
                    .put("Message", "We encountered an internal error.");
        }
        return answer;
    }

    static Fault error(int status, String type, String query, String message) {
        ObjectNode body = ProxiedRequest.JSON.createObjectNode().put("__type", PREFIX + type).put("message", message);
        return new Fault.Answer(type, status, Map.of("x-amzn-query-error", query), body);
    }
}
