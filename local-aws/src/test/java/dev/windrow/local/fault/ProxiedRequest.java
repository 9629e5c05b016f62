package dev.windrow.local.fault;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.windrow.table.TableSchema;

/** A request as a {@link FaultPlan} sees it, in AWS's JSON protocol. */
public final class ProxiedRequest {

    static final ObjectMapper JSON = new ObjectMapper();

    private static final Pattern ACCESS_KEY = Pattern.compile("Credential=([^/]+)/");
    private static final Pattern KEY_CONDITION = Pattern.compile("([#\\w]+)\\s*=\\s*(:\\w+)");

    private final long number;
    private final String operation;
    private final String authorization;
    private final byte[] bytes;
    private @Nullable ObjectNode body;

    ProxiedRequest(long number, @Nullable String target, @Nullable String authorization, byte[] bytes) {
        this.number = number;
        this.operation = target == null ? "" : target.substring(target.lastIndexOf('.') + 1);
        this.authorization = authorization == null ? "" : authorization;
        this.bytes = bytes;
    }

    /** How many requests came before it. */
    public long number() {
        return number;
    }

    /** Such as {@code TransactWriteItems} or {@code ReceiveMessage}; empty if the request names none. */
    public String operation() {
        return operation;
    }

    /** The access key id it was signed with; empty without a signature. */
    public String accessKeyId() {
        Matcher matcher = ACCESS_KEY.matcher(authorization);
        return matcher.find() ? matcher.group(1) : "";
    }

    /**
     * The body, to read: changes do not reach the server, see {@link Fault.Reshape}.
     *
     * @throws UncheckedIOException if it is not a JSON object
     */
    public ObjectNode body() {
        if (body == null) {
            body = parse(bytes);
        }
        return body;
    }

    /**
     * The partition key it is about: of the item, of a transaction's first item, or of the table's or index's items that
     * are queried. Empty for requests about none, and for SQS.
     */
    public Optional<String> partitionKey() {
        return switch (operation) {
            case "GetItem", "UpdateItem", "DeleteItem" -> text(body().at("/Key/" + TableSchema.PK));
            case "PutItem" -> text(body().at("/Item/" + TableSchema.PK));
            case "TransactWriteItems" -> text(firstWrite().at("/Key/" + TableSchema.PK))
                    .or(() -> text(firstWrite().at("/Item/" + TableSchema.PK)));
            case "Query" -> queriedKey();
            default -> Optional.empty();
        };
    }

    byte[] bytes() {
        return bytes;
    }

    static ObjectNode parse(byte[] bytes) {
        try {
            return JSON.readValue(bytes, ObjectNode.class);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The action of a transaction's first entry: its only field is named Put, Update, Delete or ConditionCheck. */
    private JsonNode firstWrite() {
        return body().at("/TransactItems/0").iterator().next();
    }

    private Optional<String> queriedKey() {
        Matcher condition = KEY_CONDITION.matcher(body().path("KeyConditionExpression").asText());
        while (condition.find()) {
            String name = condition.group(1);
            String attribute = body().path("ExpressionAttributeNames").path(name).asText(name);
            if (attribute.equals(TableSchema.PK) || attribute.equals(TableSchema.INDEX_PK)) {
                return text(body().path("ExpressionAttributeValues").path(condition.group(2)));
            }
        }
        return Optional.empty();
    }

    private static Optional<String> text(JsonNode attribute) {
        return Optional.ofNullable(attribute.path("S").textValue());
    }
}
