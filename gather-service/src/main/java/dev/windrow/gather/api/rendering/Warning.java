package dev.windrow.gather.api.rendering;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

import dev.windrow.base.Reason;
import dev.windrow.gather.execution.Execution;
import dev.windrow.gather.fanout.GatherReport;
import dev.windrow.gather.query.TableFreshness;
import io.quarkus.runtime.annotations.RegisterForReflection;

/**
 * What an answer lacks, or may lack.
 *
 * @param reason why, one stable word
 * @param message the same, human-readable
 * @param shards the shards that are missing from the answer, in whole or from some place on
 */
@RegisterForReflection
public record Warning(
        @Schema(examples = "timed-out") String reason,
        @Schema(examples = "1 of 10 shards failed: no answer within the time allowed") String message,
        @Schema(examples = "default#clicks#hour#3") List<String> shards) {

    /** What an execution lacks, each warning once. */
    public static List<Warning> of(Execution<?> execution) {
        return execution.reports().stream().flatMap(report -> of(report).stream()).distinct().toList();
    }

    public static List<Warning> of(GatherReport report) {
        Stream<Warning> shards = report.failures().entrySet().stream()
                .map(failure -> new Warning(failure.getKey().word(),
                        failure.getValue().size() + " of " + report.shards() + " shards failed: "
                                + failure.getKey().meaning(),
                        List.copyOf(failure.getValue())));
        TableFreshness freshness = report.freshness();
        Stream<Warning> lanes = freshness.failure().stream().map(reason -> new Warning(reason.word(),
                "the journal's lanes could not be read: " + reason.meaning() + "; "
                        + freshness.readAt().map(read -> "asOf is based on the lanes read at " + read)
                                .orElse("the freshness of the answer is unknown"),
                List.of()));
        Stream<Warning> abandoned = freshness.abandoned().stream().map(lane -> new Warning(Reason.LANE_ABANDONED.word(),
                "events claimed in journal lane " + lane.number()
                        + (lane.holder().isEmpty() ? "" : ", last held by " + lane.holder() + ",")
                        + " may be missing: no writer is applying them",
                List.of()));
        return Stream.of(shards, lanes, abandoned).flatMap(Function.identity()).toList();
    }
}
