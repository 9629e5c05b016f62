package dev.windrow.gather.top;

import java.math.BigDecimal;
import java.util.List;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

import dev.windrow.gather.rank.RankPlace;
import dev.windrow.gather.render.MeasuresView;
import io.quarkus.runtime.annotations.RegisterForReflection;

/**
 * A label in the list.
 *
 * @param place counted from 1
 * @param value the number it is ordered by
 */
@RegisterForReflection
@Schema(name = "Place")
public record PlaceView(@Schema(examples = "1") long place,
        @Schema(examples = "[\"https://example.com/\"]") List<String> label, @Schema(examples = "512") BigDecimal value) {

    static PlaceView of(long place, RankPlace of) {
        return new PlaceView(place, of.label().values(), MeasuresView.number(of.number()));
    }
}
