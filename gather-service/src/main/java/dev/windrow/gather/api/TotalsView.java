package dev.windrow.gather.api;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;

import io.quarkus.runtime.annotations.RegisterForReflection;

/**
 * One label's totals.
 *
 * @param label whose
 * @param from earliest bucket start; absent for all time
 * @param to latest bucket start, exclusive; absent if open
 * @param measures all measures; those without a value are 0 if they add up, else null
 * @param complete whether every shard answered
 * @param asOf when the reading began
 * @param warnings what is missing
 * @param explain how the answer was gathered, if that was asked for
 * @param cacheLifetime how long a client may keep it
 */
@RegisterForReflection
public record TotalsView(
        @Schema(examples = "[\"https://example.org/\"]") List<String> label,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Instant from,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Instant to,
        @Schema(examples = "{\"events\":3,\"bytes\":15360}") Map<String, @Nullable BigDecimal> measures,
        @Schema(examples = "true") boolean complete,
        Instant asOf,
        List<Warning> warnings,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable QueryExplanation explain,
        @JsonIgnore @Schema(hidden = true) CacheLifetime cacheLifetime) implements Cacheable {
}
