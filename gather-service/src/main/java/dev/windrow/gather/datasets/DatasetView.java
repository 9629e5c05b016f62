package dev.windrow.gather.datasets;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.annotation.JsonInclude;

import dev.windrow.base.Durations;
import dev.windrow.dataset.About;
import dev.windrow.dataset.Column;
import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.EventTimeBounds;
import dev.windrow.dataset.Measure;
import dev.windrow.dataset.Rank;
import dev.windrow.event.Condition;
import dev.windrow.time.Granularity;
import dev.windrow.time.Retention;
import io.quarkus.runtime.annotations.RegisterForReflection;

/** A declared dataset. */
@RegisterForReflection
@Schema(name = "Dataset")
public record DatasetView(
        @Schema(examples = "clicks") String name,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Schema(examples = "Clicks", description = "The name for people.") @Nullable String title,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String description,
        @Schema(examples = "click") String eventType,
        @Schema(examples = "[\"referrer\"]") List<String> label,
        @Schema(examples = "1", description = "Number of the label's first attributes that are in the table's partition key.") int partition,
        @Schema(examples = "[\"minute\",\"hour\",\"day\"]") List<String> granularities,
        @Schema(examples = "[\"minute\",\"hour\",\"day\"]") List<String> index,
        @Schema(examples = "1") int keyShards,
        Map<String, MeasureView> measures,
        List<EpochView> scatter,
        @Schema(examples = "hash") String scatterStrategy,
        @Schema(examples = "message") String dedupe,
        @Schema(description = "Measures that labels are kept in the order of; they answer `top` and `position`.") List<RankView> ranks,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable AcceptView accept,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Schema(examples = "{\"minute\":\"30d\"}", description = "How long buckets are kept after their end, by granularity; others for ever.") @Nullable Map<String, String> retention,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Schema(description = WHERE) @Nullable Map<String, Object> where) {

    private static final String WHERE = "Conditions that events meet, by attribute, in the form of the dataset file.";

    /** The accepted event times, as durations from when the message was sent, in the form of the dataset file. */
    @RegisterForReflection
    @Schema(name = "Accept")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record AcceptView(@Schema(examples = "30d") @Nullable String past,
            @Schema(examples = "1h") @Nullable String future) {

        static @Nullable AcceptView of(EventTimeBounds accept) {
            return accept.equals(EventTimeBounds.ANY) ? null : new AcceptView(text(accept.past()), text(accept.future()));
        }

        private static @Nullable String text(@Nullable Duration duration) {
            return duration == null ? null : Durations.text(duration);
        }
    }

    /** A declared measure. */
    @RegisterForReflection
    @Schema(name = "Measure")
    public record MeasureView(@Schema(examples = "sum") String type,
            @JsonInclude(JsonInclude.Include.NON_NULL) @Schema(examples = "bytes") @Nullable String attribute,
            @JsonInclude(JsonInclude.Include.NON_NULL) @Schema(examples = "0", description = "The minimum that answers show.") @Nullable Integer floor,
            @JsonInclude(JsonInclude.Include.NON_NULL) @Schema(description = WHERE) @Nullable Map<String, Object> where,
            @JsonInclude(JsonInclude.Include.NON_NULL) @Schema(description = "Of a ratio: the measure that is divided.") @Nullable String of,
            @JsonInclude(JsonInclude.Include.NON_NULL) @Schema(description = "Of a ratio: the measure that it is divided by.") @Nullable String to,
            @JsonInclude(JsonInclude.Include.NON_NULL) @Schema(examples = "Traffic", description = "The name for people.") @Nullable String title,
            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String description,
            @JsonInclude(JsonInclude.Include.NON_NULL) @Schema(examples = "bytes", description = UNIT) @Nullable String unit) {

        private static final String UNIT = "`bytes`, `seconds`, `percent`, or the code of a currency (ISO 4217).";

        static MeasureView of(List<Measure> measures, Column column) {
            Measure measure = measures.get(column.of());
            About about = column.about();
            return column.isRatio()
                    ? new MeasureView(Column.RATIO, null, null, null, measure.name(), measures.get(column.to()).name(),
                            about.title(), about.description(), about.unit())
                    : new MeasureView(measure.kind().word(), measure.attribute(), measure.floored() ? 0 : null,
                            DatasetView.where(measure.where()), null, null, about.title(), about.description(),
                            about.unit());
        }
    }

    /** A declared leaderboard. */
    @RegisterForReflection
    @Schema(name = "Rank")
    public record RankView(@Schema(examples = "events", description = "The measure.") String by,
            @Schema(examples = "[\"game\"]", description = "The label's first attributes that ranked labels share.") List<String> within,
            @Schema(examples = "4", description = "Over how many partition keys of the index each leaderboard is spread.") int width,
            @Schema(examples = "[\"day\"]", description = "Of the buckets that are ranked.") List<String> granularities) {

        static RankView of(Rank rank) {
            return new RankView(rank.by(), rank.within(), rank.width(), names(rank.granularities()));
        }
    }

    /** A span of bucket starts with one width. */
    @RegisterForReflection
    @Schema(name = "Epoch")
    public record EpochView(@Schema(examples = "1970-01-01T00:00:00Z") Instant from, @Schema(examples = "10") int width) {
    }

    public static DatasetView of(Dataset dataset) {
        Map<String, MeasureView> measures = new LinkedHashMap<>();
        dataset.columns().forEach(column -> measures.put(column.name(), MeasureView.of(dataset.measures(), column)));
        return new DatasetView(dataset.name(), dataset.about().title(), dataset.about().description(), dataset.eventType(),
                dataset.label(), dataset.partition(),
                names(dataset.granularities()), names(dataset.index()), dataset.keyShards(), measures,
                dataset.scatter().epochs().stream().map(epoch -> new EpochView(epoch.from(), epoch.width())).toList(),
                dataset.scatter().strategy().word(), dataset.dedupe().word(),
                dataset.ranks().stream().map(RankView::of).toList(),
                AcceptView.of(dataset.accept()), retention(dataset.retention()), where(dataset.where()));
    }

    private static @Nullable Map<String, String> retention(Retention retention) {
        Map<String, String> kept = new LinkedHashMap<>();
        retention.kept().forEach((granularity, span) -> kept.put(granularity.name(), Durations.text(span)));
        return kept.isEmpty() ? null : kept;
    }

    private static @Nullable Map<String, Object> where(Map<String, Condition> conditions) {
        Map<String, Object> where = new LinkedHashMap<>();
        conditions.forEach((attribute, condition) -> where.put(attribute, view(condition)));
        return where.isEmpty() ? null : where;
    }

    private static Object view(Condition condition) {
        if (!condition.oneOf().isEmpty()) {
            return List.copyOf(condition.oneOf());
        }
        Map<String, @Nullable Object> view = new LinkedHashMap<>();
        view.put("prefix", condition.prefix());
        view.put("from", condition.from());
        view.put("below", condition.below());
        view.values().removeIf(Objects::isNull);
        return view.isEmpty() ? Map.of("exists", condition.exists()) : view;
    }

    private static List<String> names(List<Granularity> granularities) {
        return granularities.stream().map(Granularity::name).toList();
    }
}
