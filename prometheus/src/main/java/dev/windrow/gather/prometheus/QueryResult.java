package dev.windrow.gather.prometheus;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonSerializable;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.jsontype.TypeSerializer;

import dev.windrow.base.Decimals;
import dev.windrow.gather.prometheus.Expression.Literal;

/**
 * The result of a query. Values are decimals as text, with as many digits as DynamoDB's numbers have. So no value is long,
 * whatever is computed: an answer may have half a million values.
 */
record QueryResult(Type type, EvaluationTimes times, List<MetricSeries> series) implements JsonSerializable {

    private static final int MILLIS = 3;
    private static final MathContext DIGITS = new MathContext(Decimals.DIGITS, RoundingMode.HALF_EVEN);
    /** Maximum length of a number without an exponent, in characters. */
    private static final int MAX_PLAIN = 60;

    /** Prometheus' words for types of results. */
    enum Type {
        SCALAR,
        VECTOR,
        MATRIX
    }

    /** Returns a number at each time: a scalar for an instant query, otherwise a series. */
    static QueryResult of(Type type, EvaluationTimes times, Literal literal) {
        return new QueryResult(type == Type.VECTOR ? Type.SCALAR : type, times,
                List.of(new MetricSeries(new TreeMap<>(), Collections.nCopies(times.count(), literal.number()))));
    }

    /** Avoids reflection, because answers have thousands of samples. */
    @Override
    public void serialize(JsonGenerator json, SerializerProvider provider) throws IOException {
        json.writeStartObject();
        json.writeStringField("resultType", type.name().toLowerCase(Locale.ROOT));
        json.writeFieldName("result");
        if (type == Type.SCALAR) {
            writeValues(json, series.get(0));
        } else {
            json.writeStartArray();
            for (MetricSeries each : series) {
                json.writeStartObject();
                json.writeObjectField("metric", each.labels());
                json.writeFieldName(type == Type.VECTOR ? "value" : "values");
                writeValues(json, each);
                json.writeEndObject();
            }
            json.writeEndArray();
        }
        json.writeEndObject();
    }

    @Override
    public void serializeWithType(JsonGenerator json, SerializerProvider provider, TypeSerializer serializer)
            throws IOException {
        serialize(json, provider);
    }

    private void writeValues(JsonGenerator json, MetricSeries each) throws IOException {
        if (type == Type.MATRIX) {
            json.writeStartArray();
        }
        for (int i = 0; i < each.values().size(); i++) {
            Number value = each.values().get(i);
            if (value != null) {
                json.writeStartArray();
                json.writeNumber(BigDecimal.valueOf(times.at(i).toEpochMilli(), MILLIS).stripTrailingZeros());
                json.writeString(text(value));
                json.writeEndArray();
            }
        }
        if (type == Type.MATRIX) {
            json.writeEndArray();
        }
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
