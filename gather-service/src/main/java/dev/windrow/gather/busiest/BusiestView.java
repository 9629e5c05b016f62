package dev.windrow.gather.busiest;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.annotation.JsonInclude;

import dev.windrow.gather.render.LineLayout;
import dev.windrow.gather.render.LineRow;
import io.quarkus.runtime.annotations.RegisterForReflection;

/**
 * A bucket of all labels together, or a slot of a profile.
 *
 * @param granularity of the bucket; absent in a profile
 * @param start of the bucket; absent in a profile
 * @param hour of the day, 0 to 23; only in profiles of hours
 * @param day of the week, 1 (Monday) to 7; only in profiles of weeks
 * @param measures of all labels; in a profile those without a value are 0 if they add up, else null
 */
@RegisterForReflection
@Schema(name = "Busiest")
public record BusiestView(
        @Schema(examples = "hour") @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String granularity,
        @Schema(examples = "2026-11-20T10:00:00Z", format = "date-time") @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String start,
        @Schema(examples = "10") @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Integer hour,
        @Schema(examples = "5") @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Integer day,
        @Schema(examples = "{\"events\":300,\"bytes\":1536000}") Map<String, @Nullable BigDecimal> measures)
        implements
            LineRow {

    public static List<String> columns(BusiestQuery query) {
        List<String> first = query.profile().map(profile -> switch (profile) {
            case HOUR_OF_DAY -> List.of("hour");
            case DAY_OF_WEEK -> List.of("day");
            case HOUR_OF_WEEK -> List.of("day", "hour");
        }).orElse(List.of("granularity", "start"));
        return LineLayout.of(query.scope().named()).columns(first);
    }

    @Override
    public List<@Nullable Object> cells(LineLayout layout) {
        List<@Nullable Object> cells = new ArrayList<>();
        if (granularity == null) {
            Stream.of(day, hour).filter(Objects::nonNull).forEach(cells::add);
        } else {
            cells.add(granularity);
            cells.add(start);
        }
        return layout.withNumbers(cells, measures);
    }
}
