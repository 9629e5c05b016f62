package dev.windrow.gather.render;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;

import jakarta.inject.Singleton;
import jakarta.ws.rs.core.HttpHeaders;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jboss.resteasy.reactive.RestMulti;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.windrow.base.Reason;
import dev.windrow.gather.fanout.GatherRequest;
import dev.windrow.gather.fanout.Gatherer;
import dev.windrow.gather.fanout.Warning;
import dev.windrow.gather.http.Problems;
import dev.windrow.gather.plan.Bucket;
import dev.windrow.gather.read.GatherException;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.unchecked.Unchecked;

/** Renders answers line by line, as NDJSON or CSV, in constant memory. */
@Singleton
public record LineRenderer(Gatherer gatherer, Problems problems, ObjectMapper json) {

    /** Rows per write: enough to keep writes cheap, few enough for the first rows to come soon. */
    private static final int ROWS_IN_CHUNK = 200;

    /**
     * What a page reports besides its items.
     *
     * @param complete whether every shard answered
     * @param asOf events that a writer claimed before this time are in the answer; absent if unknown
     * @param warnings the missing parts
     */
    @RegisterForReflection
    @Schema(hidden = true)
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Summary(boolean complete, @Nullable Instant asOf, List<Warning> warnings) {
    }

    /**
     * Gathers and renders.
     *
     * @param csv how to write CSV, which cannot hold warnings and is cut off if data is missing; null for NDJSON, whose last
     *        line marks the end
     * @param columns the columns of CSV
     * @param rows turns buckets into rows
     */
    public RestMulti<byte[]> render(@Nullable Csv csv, List<String> columns, GatherRequest request,
            Function<Multi<Bucket>, Multi<? extends LineRow>> rows) {
        return response(csv, problems.noted(gatherer.stream(request,
                (buckets, report) -> lines(csv, columns, LineLayout.of(request.scope().named()), rows.apply(buckets),
                        () -> new Summary(report.isComplete(), report.asOf().orElse(null), report.warnings())))));
    }

    /** Renders a page with few items. */
    public <R extends LineRow> RestMulti<byte[]> render(@Nullable Csv csv, List<String> columns, LineLayout layout,
            Uni<Page<R>> firstPage) {
        return response(csv, firstPage.onItem().transformToMulti(page -> {
            Summary summary = new Summary(page.complete(), page.asOf(), page.warnings());
            if (csv != null) {
                requireComplete(summary);
            }
            return lines(csv, columns, layout, Multi.createFrom().iterable(page.items()), () -> summary);
        }));
    }

    private static RestMulti<byte[]> response(@Nullable Csv csv, Multi<byte[]> lines) {
        return RestMulti.fromMultiData(lines).header(HttpHeaders.CONTENT_TYPE, LineFormats.contentType(csv != null)).build();
    }

    private Multi<byte[]> lines(@Nullable Csv csv, List<String> columns, LineLayout layout, Multi<? extends LineRow> rows,
            Supplier<Summary> summary) {
        return csv != null
                ? csv(csv.header(columns), rows.onItem().transform(row -> csv.line(row.cells(layout))),
                        () -> requireComplete(summary.get()))
                : ndjson(rows.onItem().transform(row -> text(row) + "\n"), summary);
    }

    private static void requireComplete(Summary summary) {
        if (!summary.complete()) {
            Reason reason = summary.warnings().stream().filter(warning -> !warning.shards().isEmpty())
                    .flatMap(warning -> Reason.ofWord(warning.reason()).stream()).findFirst().orElse(Reason.UNAVAILABLE);
            throw new GatherException(reason, "a shard failed (" + reason.word()
                    + "), and CSV cannot mark an answer as incomplete; use JSON or NDJSON");
        }
    }

    /** A stream without the last line, which says how it ended, was cut off. */
    private Multi<byte[]> ndjson(Multi<String> lines, Supplier<Summary> summary) {
        Multi<byte[]> end = Multi.createFrom().item(() -> (text(Map.of("end", summary.get())) + "\n").getBytes(UTF_8));
        return Multi.createBy().concatenating().streams(chunked(lines), end);
    }

    /** The header is sent with the first rows, so that a failure before them can still be reported as a problem. */
    private static Multi<byte[]> csv(String header, Multi<String> lines, Runnable requireComplete) {
        AtomicReference<String> first = new AtomicReference<>(header);
        return chunked(lines.onItem().transform(line -> first.getAndSet("") + line)
                .onCompletion().invoke(requireComplete)
                .onCompletion().ifEmpty().continueWith(header));
    }

    private static Multi<byte[]> chunked(Multi<String> lines) {
        return lines.group().intoLists().of(ROWS_IN_CHUNK).onItem().transform(chunk -> String.join("", chunk).getBytes(UTF_8));
    }

    private String text(Object value) {
        return Unchecked.supplier(() -> json.writeValueAsString(value)).get();
    }

}
