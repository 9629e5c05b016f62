package dev.windrow.gather.api.request;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import jakarta.enterprise.context.ApplicationScoped;

import org.eclipse.microprofile.config.inject.ConfigProperty;

import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import dev.windrow.gather.query.QueryParameter;
import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpServerRequest;

/** Reads parameters from a JSON object. */
@ApplicationScoped
class ParameterBodyReader {

    private final ObjectReader json;
    private final long maxBytes;

    ParameterBodyReader(ObjectMapper json,
            @ConfigProperty(name = "quarkus.http.limits.max-body-size") MemorySize maxBytes) {
        this.maxBytes = maxBytes.asLongValue();
        this.json = json
                .reader(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS, DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .with(StreamReadFeature.STRICT_DUPLICATE_DETECTION);
    }

    /** The members of the object that a request has as its body; an array is a parameter that repeats. */
    Uni<Map<String, List<String>>> read(HttpServerRequest request) {
        return BoundedBodyReader.of(request, maxBytes).onItem().transform(this::members);
    }

    private Map<String, List<String>> members(byte[] body) {
        JsonNode tree;
        try {
            tree = json.readTree(body);
        } catch (IOException e) {
            throw new InvalidInputException(Reason.NOT_JSON, "body", "expected a JSON object of parameters");
        }
        if (!tree.isObject()) {
            throw new InvalidInputException(Reason.NOT_AN_OBJECT, "body", "expected a JSON object of parameters");
        }
        Map<String, List<String>> members = new LinkedHashMap<>();
        tree.properties().forEach(member -> members.put(member.getKey(), values(member.getKey(), member.getValue())));
        return members;
    }

    private static List<String> values(String name, JsonNode value) {
        if (name.equals(QueryParameter.LABELS.word())) {
            return LabelList.keys(value);
        }
        if (value.isArray()) {
            List<String> values = new ArrayList<>();
            value.forEach(element -> values.add(text(name, element)));
            return values;
        }
        return List.of(text(name, value));
    }

    private static String text(String name, JsonNode value) {
        if (!value.isValueNode() || value.isNull()) {
            throw new InvalidInputException(Reason.WRONG_FIELD_TYPE, name,
                    "expected text, a number, true, false, or an array of them");
        }
        return value.isNumber() ? LabelList.number(value.decimalValue()) : value.asText();
    }
}
