package dev.windrow.gather.render;

import java.io.IOException;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
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

import dev.windrow.dataset.Column;
import dev.windrow.dataset.Dataset;
import dev.windrow.gather.plan.Bucket;
import io.quarkus.runtime.annotations.RegisterForReflection;

/**
 * A bucket in an answer.
 *
 * @param label the values that identify the series, in declared order
 * @param other whether it is the sum of all labels that have no series of their own; absent if not requested
 * @param start its start in UTC, or with the offset of the requested zone
 * @param partial true if the bucket reaches over a bound of the range, so that its measures are those of a part of it
 * @param measures exact numbers by measure or ratio; those without a value are absent, or null in a filled series
 */
@RegisterForReflection
@Schema(name = "Bucket")
public record BucketView(
        @Schema(examples = "[\"https://example.org/\"]") List<String> label,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Boolean other,
        @Schema(examples = "minute") String granularity,
        @Schema(examples = "2026-11-20T10:31:00Z", format = "date-time") String start,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Boolean partial,
        @Schema(examples = "{\"events\":3,\"bytes\":15360}") Map<String, @Nullable BigDecimal> measures)
        implements
            LineRow,
            JsonSerializable {

    private static final int LAST_YEAR = 9_999;

    public static BucketView of(Bucket bucket, List<Column> columns) {
        return new BucketView(bucket.label().values(), null, bucket.granularity().name(), bucket.startText(), null,
                MeasuresView.present(bucket.values(), columns));
    }

    /** RFC 3339 with the zone's offset at that time; in UTC if the year has five digits, which RFC 3339 does not allow. */
    public static String start(Instant start, ZoneId zone) {
        ZonedDateTime local = start.atZone(zone);
        return zone.equals(ZoneOffset.UTC) || local.getYear() > LAST_YEAR
                ? start.toString()
                : DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(local);
    }

    public static List<String> columns(Dataset dataset) {
        List<String> first = new ArrayList<>(dataset.label());
        first.addAll(List.of("granularity", "start"));
        return LineLayout.of(dataset).columns(first);
    }

    /** Avoids reflection, because answers have thousands of buckets. */
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
        if (partial != null) {
            json.writeBooleanField("partial", partial);
        }
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
    public List<@Nullable Object> cells(LineLayout layout) {
        // The sum of all other labels is not a group, so its label cells are the first values that the query selects.
        List<@Nullable Object> cells = (Boolean.TRUE.equals(other) ? LineLayout.of(layout.dataset()) : layout)
                .labelCells(label);
        if (other != null) {
            cells.add(other);
        }
        cells.add(granularity);
        cells.add(start);
        return layout.withNumbers(cells, measures);
    }

}
