package dev.windrow.gather.api;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

import dev.windrow.gather.merge.Bucket;
import io.quarkus.runtime.annotations.RegisterForReflection;

/**
 * A bucket in an answer.
 *
 * @param label the values that identify the series, in declared order
 * @param granularity its granularity
 * @param start its start in UTC
 * @param measures exact numbers by measure; one without a value is absent
 */
@RegisterForReflection
@Schema(name = "Bucket")
public record BucketView(
        @Schema(examples = "[\"https://example.org/\"]") List<String> label,
        @Schema(examples = "minute") String granularity,
        @Schema(examples = "2026-11-20T10:31:00Z") Instant start,
        @Schema(examples = "{\"events\":3,\"bytes\":15360}") Map<String, BigDecimal> measures) {

    static BucketView of(Bucket bucket) {
        return new BucketView(bucket.label().values(), bucket.granularity().name(), bucket.start(),
                MeasuresView.present(bucket.values()));
    }
}
