package dev.windrow.gather.render;

import java.io.IOException;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
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

import dev.windrow.dataset.Column;
import dev.windrow.dataset.Dataset;
import dev.windrow.gather.plan.Bucket;
import dev.windrow.gather.plan.MeasureValues;
import dev.windrow.gather.render.LineRenderer.Layout;
import dev.windrow.gather.render.LineRenderer.Row;
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
            Row,
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
        return Layout.of(dataset).columns(first);
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
    public List<@Nullable Object> cells(Layout layout) {
        // The sum of all other labels is not a group, so its label cells are the first values that the query selects.
        List<@Nullable Object> cells = (Boolean.TRUE.equals(other) ? Layout.of(layout.dataset()) : layout).labelCells(label);
        if (other != null) {
            cells.add(other);
        }
        cells.add(granularity);
        cells.add(start);
        return layout.withNumbers(cells, measures);
    }

    /** Renders measures and ratios as a map from name to number, in declared order. */
    public static final class MeasuresView {

        /** Includes only measures and ratios that have a number. */
        public static Map<String, @Nullable BigDecimal> present(MeasureValues values, List<Column> columns) {
            Map<String, @Nullable BigDecimal> view = new LinkedHashMap<>();
            columns.forEach(column -> values.shown(column).ifPresent(number -> view.put(column.name(), number(number))));
            return view;
        }

        /** Includes all measures and ratios; one without a value is 0 if it adds up, else null. */
        public static Map<String, @Nullable BigDecimal> total(MeasureValues values, List<Column> columns) {
            return of(columns, columns.stream().<@Nullable BigDecimal> map(values::total).toList(), true);
        }

        /** Includes the measures and ratios that have a value; one that adds up is 0 without one. */
        public static Map<String, @Nullable BigDecimal> known(MeasureValues values, List<Column> columns) {
            return of(columns, columns.stream().<@Nullable BigDecimal> map(values::total).toList(), false);
        }

        /**
         * Returns numbers, which may be null, by column.
         *
         * @param nulls whether nulls are included
         */
        public static Map<String, @Nullable BigDecimal> of(List<Column> columns, List<@Nullable BigDecimal> numbers,
                boolean nulls) {
            Map<String, @Nullable BigDecimal> view = new LinkedHashMap<>();
            for (int i = 0; i < columns.size(); i++) {
                BigDecimal number = numbers.get(i);
                if (number != null || nulls) {
                    view.put(columns.get(i).name(), number == null ? null : number(number));
                }
            }
            return view;
        }

        /** Returns a number in full, without trailing zeros after the point, so that equal numbers have equal text. */
        public static BigDecimal number(BigDecimal value) {
            if (value.scale() <= 0) {
                return value;
            }
            return value.signum() == 0 ? BigDecimal.ZERO : value.stripTrailingZeros();
        }
    }
}
