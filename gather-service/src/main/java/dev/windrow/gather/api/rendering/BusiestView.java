package dev.windrow.gather.api.rendering;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.annotation.JsonInclude;

import dev.windrow.dataset.Dataset;
import dev.windrow.gather.answer.BusiestBuckets;
import dev.windrow.gather.answer.ProfileAggregator;
import dev.windrow.gather.query.BusiestQuery;
import dev.windrow.gather.query.Profile;
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
        @Schema(examples = "{\"events\":300,\"bytes\":1536000}") Map<String, @Nullable BigDecimal> measures) implements Row {

    public static BusiestView of(BusiestQuery query, BusiestBuckets.Total total) {
        return new BusiestView(query.granularity().name(), total.start().toString(), null, null,
                MeasuresView.present(total.values()));
    }

    public static BusiestView of(Profile profile, ProfileAggregator.Slot slot) {
        return new BusiestView(null, null, profile.hour(slot.slot()).orElse(null), profile.day(slot.slot()).orElse(null),
                MeasuresView.total(slot.values()));
    }

    /** Column names. */
    public static List<String> columns(BusiestQuery query) {
        List<String> first = query.profile().map(profile -> switch (profile) {
            case HOUR_OF_DAY -> List.of("hour");
            case DAY_OF_WEEK -> List.of("day");
            case HOUR_OF_WEEK -> List.of("day", "hour");
        }).orElse(List.of("granularity", "start"));
        return Row.columns(query.scope().named(), first);
    }

    @Override
    public List<@Nullable Object> cells(Dataset dataset) {
        List<@Nullable Object> cells = new ArrayList<>();
        if (granularity == null) {
            Stream.of(day, hour).filter(Objects::nonNull).forEach(cells::add);
        } else {
            cells.add(granularity);
            cells.add(start);
        }
        dataset.measures().forEach(measure -> cells.add(measures.get(measure.name())));
        return cells;
    }
}
