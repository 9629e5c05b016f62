package dev.windrow.bench.table;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** A request that this table does not serve, with the service's word for it. */
public final class Refusal extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String type;
    private final transient ObjectNode details;

    /**
     * @param type the exception's name in the protocol
     * @param message what was found and what is known
     * @param details further fields of the answer
     */
    public Refusal(String type, String message, ObjectNode details) {
        super(message, null, false, false);
        this.type = type;
        this.details = details;
    }

    /** A refusal without further fields. */
    public Refusal(String type, String message) {
        this(type, message, JsonNodeFactory.instance.objectNode());
    }

    /** A request the service would call invalid, or that is beyond what this table knows. */
    public static Refusal invalid(String message) {
        return new Refusal("ValidationException", message);
    }

    /** The exception's name in the protocol. */
    public String type() {
        return type;
    }

    /** Further fields of the answer. */
    public ObjectNode details() {
        return details;
    }
}
