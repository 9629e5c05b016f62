package dev.windrow.gather.api.prometheus;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.List;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonSerializable;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.jsontype.TypeSerializer;

import dev.windrow.dataset.Decimals;
import dev.windrow.gather.prometheus.EvaluationTimes;
import dev.windrow.gather.promql.Series;

/**
 * The result of a query. Values are decimals as text, with as many digits as DynamoDB's numbers have. So no value is long,
 * whatever is computed: an answer may have half a million of them.
 *
 * @param type {@code vector} or {@code matrix}
 * @param times of the values
 * @param series the series
 */
record QueryResult(Type type, EvaluationTimes times, List<Series> series) implements JsonSerializable {

    private static final int MILLIS = 3;
    private static final MathContext DIGITS = new MathContext(Decimals.DIGITS, RoundingMode.HALF_EVEN);
    /** Characters of a number without an exponent. */
    private static final int MAX_PLAIN = 60;

    /** Prometheus' words for kinds of results. */
    enum Type {
        VECTOR("vector"),
        MATRIX("matrix");

        private final String word;

        Type(String word) {
            this.word = word;
        }
    }

    /** A number at one time. */
    record Scalar(EvaluationTimes times, Number number) implements JsonSerializable {

        @Override
        public void serialize(JsonGenerator json, SerializerProvider provider) throws IOException {
            json.writeStartObject();
            json.writeStringField("resultType", "scalar");
            json.writeFieldName("result");
            writeSample(json, times, 0, number);
            json.writeEndObject();
        }

        @Override
        public void serializeWithType(JsonGenerator json, SerializerProvider provider, TypeSerializer serializer)
                throws IOException {
            serialize(json, provider);
        }
    }

    /** Written without reflection, as answers have thousands of samples. */
    @Override
    public void serialize(JsonGenerator json, SerializerProvider provider) throws IOException {
        json.writeStartObject();
        json.writeStringField("resultType", type.word);
        json.writeArrayFieldStart("result");
        for (Series each : series) {
            json.writeStartObject();
            json.writeObjectField("metric", each.labels());
            json.writeFieldName(type == Type.VECTOR ? "value" : "values");
            writeValues(json, each);
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    @Override
    public void serializeWithType(JsonGenerator json, SerializerProvider provider, TypeSerializer serializer)
            throws IOException {
        serialize(json, provider);
    }

    private void writeValues(JsonGenerator json, Series each) throws IOException {
        if (type == Type.MATRIX) {
            json.writeStartArray();
        }
        for (int i = 0; i < each.values().size(); i++) {
            Number value = each.values().get(i);
            if (value != null) {
                writeSample(json, times, i, value);
            }
        }
        if (type == Type.MATRIX) {
            json.writeEndArray();
        }
    }

    private static void writeSample(JsonGenerator json, EvaluationTimes times, int index, Number value)
            throws IOException {
        json.writeStartArray();
        json.writeNumber(BigDecimal.valueOf(times.at(index).toEpochMilli(), MILLIS).stripTrailingZeros());
        json.writeString(text(value));
        json.writeEndArray();
    }

    private static String text(Number value) {
        if (!(value instanceof BigDecimal decimal)) {
            return Double.isNaN(value.doubleValue()) ? "NaN" : value.doubleValue() > 0 ? "+Inf" : "-Inf";
        }
        BigDecimal rounded = decimal.round(DIGITS);
        String plain = Decimals.canonical(rounded);
        return plain.length() <= MAX_PLAIN ? plain : rounded.stripTrailingZeros().toString();
    }
}
