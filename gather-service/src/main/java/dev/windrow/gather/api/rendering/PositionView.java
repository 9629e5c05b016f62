package dev.windrow.gather.api.rendering;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;

import dev.windrow.gather.answer.Position;
import dev.windrow.gather.api.caching.CacheLifetime;
import dev.windrow.gather.api.caching.Cacheable;
import dev.windrow.gather.execution.Execution;
import dev.windrow.gather.query.PositionQuery;
import io.quarkus.runtime.annotations.RegisterForReflection;

/**
 * The place of a label.
 *
 * @param label the label
 * @param by the measure it is ordered by
 * @param place from 1 on; null if it has no value
 * @param value what it is ordered by; null if it has none
 * @param items the label and its neighbors, in order
 * @param complete whether every shard answered
 * @param asOf events that a writer claimed before are in the answer; absent if that is not known
 * @param warnings what is missing
 * @param explain how the answer was gathered, if requested
 * @param cacheLifetime how long a client may keep it
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

    /** A label in the list. */
    @RegisterForReflection
    @Schema(name = "Place")
    public record PlaceView(@Schema(examples = "1") long place,
            @Schema(examples = "[\"https://example.com/\"]") List<String> label,
            @Schema(examples = "512") BigDecimal value) {
    }

    /** The place that an execution found. */
    public static PositionView of(PositionQuery query, Execution<Position> execution, CacheLifetime cacheLifetime) {
        Position position = execution.result();
        return new PositionView(query.label().values(), query.by().name(),
                position.own().map(Position.Item::place).orElse(null),
                position.own().map(own -> MeasuresView.number(own.value())).orElse(null),
                position.items().stream()
                        .map(item -> new PlaceView(item.place(), item.label().values(), MeasuresView.number(item.value())))
                        .toList(),
                execution.isComplete(), execution.asOf().orElse(null), Warning.of(execution),
                query.options().explain() ? QueryExplanation.of(query.scope(), execution) : null, cacheLifetime);
    }
}
