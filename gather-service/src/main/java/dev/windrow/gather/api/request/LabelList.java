package dev.windrow.gather.api.request;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.KeyCodec;
import dev.windrow.base.Sanitized;
import dev.windrow.dataset.Decimals;
import dev.windrow.gather.query.Parameters;
import dev.windrow.gather.query.QueryParameter;

/** Reads one of several labels, a JSON array of its first values, as the composite key that queries take it as. */
final class LabelList {

    /** A longer number is kept as written: no parameter accepts it, and its digits would fill the memory. */
    private static final int MAX_DIGITS = 40;

    private LabelList() {
    }

    /** Reads the text of a JSON array. */
    static String read(ObjectReader json, String text) {
        try {
            return key(json.readTree(text));
        } catch (JsonProcessingException malformed) {
            throw invalid(text);
        }
    }

    /** Reads the labels of a body: a JSON array of arrays. */
    static List<String> keys(JsonNode labels) {
        if (!labels.isArray() || labels.isEmpty()) {
            throw Parameters.invalid(QueryParameter.LABELS, "expected a JSON array of labels, each an array of its first"
                    + " values, such as [[\"a\",\"b\"]], found " + Sanitized.of(labels.toString()));
        }
        List<String> keys = new ArrayList<>();
        labels.forEach(label -> keys.add(key(label)));
        return keys;
    }

    /** Reads a JSON array. */
    private static String key(JsonNode array) {
        List<String> values = new ArrayList<>();
        array.forEach(value -> values.add(text(value, array)));
        if (!array.isArray() || values.isEmpty()) {
            throw invalid(array.toString());
        }
        return KeyCodec.encode(values);
    }

    private static String text(JsonNode value, JsonNode array) {
        if (!value.isValueNode() || value.isNull()) {
            throw invalid(array.toString());
        }
        return value.isNumber() ? number(value.decimalValue()) : value.asText();
    }

    /** In the shortest plain form, as the writer writes numbers in labels. */
    static String number(BigDecimal number) {
        boolean moderate = number.precision() <= MAX_DIGITS && Math.abs((long) number.scale()) <= MAX_DIGITS;
        return moderate ? Decimals.canonical(number) : number.toString();
    }

    private static InvalidInputException invalid(String found) {
        return Parameters.invalid(QueryParameter.LABELS,
                "expected a JSON array of a label's first values, such as [\"a\",\"b\"], found " + Sanitized.of(found));
    }
}
