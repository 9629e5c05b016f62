package dev.windrow.gather.api.rendering;

import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
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
import dev.windrow.gather.merge.Bucket;
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

    /** Column names of buckets. */
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
}
