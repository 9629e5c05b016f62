package dev.windrow.gather.fanout;

import java.time.Instant;
import java.util.List;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;

import dev.windrow.base.Reason;
import dev.windrow.gather.range.Expired;
import dev.windrow.gather.range.TimeRange;
import io.quarkus.runtime.annotations.RegisterForReflection;

/**
 * A warning to clients about data that an answer lacks or may lack.
 *
 * @param reason one stable word
 * @param message the reason, human-readable
 * @param shards the shards missing from the answer, entirely or from some position on
 * @param granularity the one whose buckets have expired, so that the range differs from the requested one
 * @param before the first start that is still kept
 * @param from the first bound of the range really covered, if the requested one lies within a bucket
 * @param to its last bound
 */
@RegisterForReflection
public record Warning(
        @Schema(examples = "timed-out") String reason,
        @Schema(examples = "1 of 10 shards failed: no answer within the time allowed") String message,
        @Schema(examples = "default#clicks#hour#3") List<String> shards,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Schema(examples = "minute") @Nullable String granularity,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Instant before,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Instant from,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Instant to) {

    public Warning(String reason, String message, List<String> shards) {
        this(reason, message, shards, null, null, null, null);
    }

    static Warning of(Expired expired) {
        String name = expired.granularity().name();
        return new Warning(Reason.EXPIRED.word(), name + " buckets before " + expired.before()
                + " have expired, so the range is that of buckets that exist", List.of(), name, expired.before(), null,
                null);
    }

    /** Whether the same query may be answered without it: that bounds lie within buckets stays so. */
    @JsonIgnore
    public boolean isTransient() {
        return !reason.equals(Reason.ROUNDED.word());
    }

    static Warning of(TimeRange covered) {
        return new Warning(Reason.ROUNDED.word(), "bounds of the range lie within buckets, so it covers "
                + covered.from() + " to " + covered.to(), List.of(), null, null, covered.from(), covered.to());
    }
}
