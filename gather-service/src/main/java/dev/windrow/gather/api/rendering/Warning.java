package dev.windrow.gather.api.rendering;

import java.util.List;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

import dev.windrow.gather.execution.Execution;
import dev.windrow.gather.fanout.GatherReport;
import io.quarkus.runtime.annotations.RegisterForReflection;

/**
 * What an answer lacks.
 *
 * @param reason why, one stable word
 * @param message the same for people
 * @param shards the shards that are missing from the answer, in whole or from some place on
 */
@RegisterForReflection
public record Warning(
        @Schema(examples = "timed-out") String reason,
        @Schema(examples = "1 of 10 shards is missing: no answer within the time allowed") String message,
        @Schema(examples = "default#clicks#hour#3") List<String> shards) {

    /** What an execution lacks, each warning once. */
    public static List<Warning> of(Execution<?> execution) {
        return execution.reports().stream().flatMap(report -> of(report).stream()).distinct().toList();
    }

    public static List<Warning> of(GatherReport report) {
        return report.failures().entrySet().stream()
                .map(failure -> new Warning(failure.getKey().word(),
                        failure.getValue().size() + " of " + report.shards() + " shards failed: "
                                + failure.getKey().meaning(),
                        List.copyOf(failure.getValue())))
                .toList();
    }
}
