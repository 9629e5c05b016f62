package dev.windrow.gather.render;

import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonSerializable;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.jsontype.TypeSerializer;

import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Measure;
import dev.windrow.dataset.MeasureValue;
import dev.windrow.gather.plan.Bucket;
import dev.windrow.gather.plan.MeasureValues;
import dev.windrow.gather.render.LineRenderer.Row;
import io.quarkus.runtime.annotations.RegisterForReflection;

/**
 * A bucket in an answer.
 *
 * @param label the values that identify the series, in declared order
 * @param other whether it sums all labels without series of their own; absent if not requested
 * @param granularity its granularity
 * @param start its start in UTC, or with the offset of the requested zone
 * @param measures exact numbers by measure; one without a value is absent, or null in a filled series
 */
@RegisterForReflection
@Schema(name = "Bucket")
public record BucketView(
        @Schema(examples = "[\"https://example.org/\"]") List<String> label,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Boolean other,
        @Schema(examples = "minute") String granularity,
        @Schema(examples = "2026-11-20T10:31:00Z", format = "date-time") String start,
        @Schema(examples = "{\"events\":3,\"bytes\":15360}") Map<String, @Nullable BigDecimal> measures)
        implements
            Row,
            JsonSerializable {

    public static BucketView of(Bucket bucket) {
        return new BucketView(bucket.label().values(), null, bucket.granularity().name(), bucket.startText(),
                MeasuresView.present(bucket.values()));
    }

    public static List<String> columns(Dataset dataset) {
        List<String> first = new ArrayList<>(dataset.label());
        first.addAll(List.of("granularity", "start"));
        return Row.columns(dataset, first);
    }

    /** Without reflection, as answers have thousands of these. */
    @Override
    public void serialize(JsonGenerator json, SerializerProvider provider) throws IOException {
        json.writeStartObject();
        json.writeArrayFieldStart("label");
        for (String value : label) {
            json.writeString(value);
        }
        json.writeEndArray();
        if (other != null) {
            json.writeBooleanField("other", other);
        }
        json.writeStringField("granularity", granularity);
        json.writeStringField("start", start);
        json.writeObjectFieldStart("measures");
        for (Map.Entry<String, @Nullable BigDecimal> measure : measures.entrySet()) {
            json.writeFieldName(measure.getKey());
            json.writeNumber(measure.getValue());
        }
        json.writeEndObject();
        json.writeEndObject();
    }

    @Override
    public void serializeWithType(JsonGenerator json, SerializerProvider provider, TypeSerializer type) throws IOException {
        serialize(json, provider);
    }

    @Override
    public List<@Nullable Object> cells(Dataset dataset) {
        List<@Nullable Object> cells = Row.labelCells(dataset, label);
        if (other != null) {
            cells.add(other);
        }
        cells.add(granularity);
        cells.add(start);
        dataset.measures().forEach(measure -> cells.add(measures.get(measure.name())));
        return cells;
    }

    /** Renders measures as a map from name to exact number, in declared order. */
    public static final class MeasuresView {

        private MeasuresView() {
        }

        public static Map<String, @Nullable BigDecimal> present(MeasureValues values) {
            Map<String, @Nullable BigDecimal> view = new LinkedHashMap<>();
            values.forEach((measure, value) -> {
                if (value != null) {
                    view.put(measure.name(), number(measure, value));
                }
            });
            return view;
        }

        /** All measures: those without a value have what nothing amounts to. */
        public static Map<String, @Nullable BigDecimal> total(MeasureValues values) {
            Map<String, @Nullable BigDecimal> view = new LinkedHashMap<>();
            values.forEach((measure, value) -> {
                BigDecimal total = measure.total(value);
                view.put(measure.name(), total == null ? null : number(total));
            });
            return view;
        }

        /** Numbers that may be null, by measure. */
        public static Map<String, @Nullable BigDecimal> of(List<Measure> measures, List<@Nullable BigDecimal> numbers,
                boolean nulls) {
            Map<String, @Nullable BigDecimal> view = new LinkedHashMap<>();
            for (int i = 0; i < measures.size(); i++) {
                BigDecimal number = numbers.get(i);
                if (number != null || nulls) {
                    view.put(measures.get(i).name(), number == null ? null : number(measures.get(i).shown(number)));
                }
            }
            return view;
        }

        private static BigDecimal number(Measure measure, MeasureValue value) {
            return number(measure.shown(value));
        }

        /** In full, without trailing zeros after the point, so that equal numbers have equal text. */
        public static BigDecimal number(BigDecimal value) {
            if (value.scale() <= 0) {
                return value;
            }
            return value.signum() == 0 ? BigDecimal.ZERO : value.stripTrailingZeros();
        }
    }
}
