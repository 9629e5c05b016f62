package dev.windrow.gather.render;

import java.time.Instant;
import java.util.List;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;

import dev.windrow.gather.fanout.Warning;
import io.quarkus.runtime.annotations.RegisterForReflection;

/**
 * A page of items.
 *
 * @param items the items in the requested order
 * @param complete whether every shard answered
 * @param asOf events that a writer claimed before this time are in the answer; absent if unknown
 * @param next the cursor of the next page; absent if there is none
 * @param groups number of groups that all pages of a top list have together; absent elsewhere, and if not all were summed
 * @param warnings the missing parts
 * @param explain how the answer was gathered, if requested
 * @param cacheLifetime how long a client may cache it
 */
@RegisterForReflection
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Page<T>(
        List<T> items,
        @Schema(examples = "true") boolean complete,
        @Schema(examples = "2026-11-20T10:32:07.250Z") @Nullable Instant asOf,
        @Schema(description = "The cursor of the next page; absent on the last.") @Nullable String next,
        @Schema(examples = "412") @Nullable Long groups,
        List<Warning> warnings,
        @Nullable QueryExplanation explain,
        @JsonIgnore @Schema(hidden = true) CacheLifetime cacheLifetime) implements Cacheable {

}
