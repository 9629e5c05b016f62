package dev.windrow.gather.api;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import jakarta.enterprise.context.ApplicationScoped;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.windrow.reason.Reason;
import dev.windrow.reason.ReasonedException;

/** Reads parameters from a JSON object. */
@ApplicationScoped
class ParameterBody {

    private final ObjectMapper json;

    ParameterBody(ObjectMapper json) {
        this.json = json;
    }

    /** The object's members; an array is a parameter that repeats. */
    Map<String, List<String>> members(String body) {
        JsonNode tree;
        try {
            tree = json.readTree(body);
        } catch (JsonProcessingException e) {
            throw new ReasonedException(Reason.NOT_JSON, "body", "expected a JSON object of parameters");
        }
        if (!tree.isObject()) {
            throw new ReasonedException(Reason.NOT_AN_OBJECT, "body", "expected a JSON object of parameters");
        }
        Map<String, List<String>> members = new LinkedHashMap<>();
        tree.properties().forEach(member -> members.put(member.getKey(), values(member.getKey(), member.getValue())));
        return members;
    }

    private static List<String> values(String name, JsonNode value) {
        if (value.isArray()) {
            List<String> values = new ArrayList<>();
            value.forEach(element -> values.add(text(name, element)));
            return values;
        }
        return List.of(text(name, value));
    }

    private static String text(String name, JsonNode value) {
        if (!value.isValueNode() || value.isNull()) {
            throw new ReasonedException(Reason.WRONG_FIELD_TYPE, name,
                    "expected text, a number, true, false, or an array of them");
        }
        return value.isNumber() ? value.decimalValue().toPlainString() : value.asText();
    }
}
