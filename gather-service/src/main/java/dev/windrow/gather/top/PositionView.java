package dev.windrow.gather.top;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;

import dev.windrow.gather.fanout.Execution;
import dev.windrow.gather.fanout.Warning;
import dev.windrow.gather.render.CacheLifetime;
import dev.windrow.gather.render.Cacheable;
import dev.windrow.gather.render.Page;
import dev.windrow.gather.render.QueryExplanation;
import io.quarkus.runtime.annotations.RegisterForReflection;

/**
 * The place of a label; other fields as in {@link Page}.
 *
 * @param by the measure it is ordered by
 * @param place counted from 1; null if it has no value
 * @param value the number it is ordered by; null if it has none
 * @param items the label and its neighbors, in order
 */
@RegisterForReflection
@Schema(name = "Position")
public record PositionView(
        @Schema(examples = "[\"https://example.org/\"]") List<String> label,
        @Schema(examples = "events") String by,
        @Schema(examples = "2") @Nullable Long place,
        @Schema(examples = "300") @Nullable BigDecimal value,
        List<PlaceView> items,
        @Schema(examples = "true") boolean complete,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Instant asOf,
        List<Warning> warnings,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable QueryExplanation explain,
        @JsonIgnore @Schema(hidden = true) CacheLifetime cacheLifetime) implements Cacheable {

    public static PositionView of(PositionQuery query, Execution<Position> execution, CacheLifetime cacheLifetime) {
        Position position = execution.result();
        return new PositionView(query.label().values(), query.by().name(),
                position.own().map(PlaceView::place).orElse(null), position.own().map(PlaceView::value).orElse(null),
                position.items(), execution.isComplete(), execution.asOf().orElse(null), execution.warnings(),
                QueryExplanation.requested(query, execution), cacheLifetime);
    }
}
