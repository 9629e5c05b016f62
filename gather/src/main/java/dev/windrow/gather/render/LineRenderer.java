package dev.windrow.gather.render;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import jakarta.inject.Singleton;
import jakarta.ws.rs.core.HttpHeaders;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jboss.resteasy.reactive.RestMulti;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.windrow.base.Reason;
import dev.windrow.dataset.Dataset;
import dev.windrow.gather.http.Problems;
import dev.windrow.gather.plan.Bucket;
import dev.windrow.gather.read.GatherException;
import dev.windrow.gather.read.GatherReport.Warning;
import dev.windrow.gather.read.Gatherer;
import dev.windrow.gather.read.Gatherer.GatherRequest;
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
            Function<Multi<Bucket>, Multi<? extends Row>> rows) {
        return response(csv, problems.noted(gatherer.stream(request,
                (buckets, report) -> lines(csv, columns, Layout.of(request.scope().named()), rows.apply(buckets),
                        () -> new Summary(report.isComplete(), report.asOf().orElse(null), report.warnings())))));
    }

    /** Renders a page with few items. */
    public <R extends Row> RestMulti<byte[]> render(@Nullable Csv csv, List<String> columns, Layout layout,
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

    private Multi<byte[]> lines(@Nullable Csv csv, List<String> columns, Layout layout, Multi<? extends Row> rows,
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

    /** The media types of answers written line by line, NDJSON and CSV, and how a request selects one. */
    public static final class LineFormats {

        public static final String NDJSON = "application/x-ndjson";
        public static final String CSV = "text/csv";

        /** The media type that resources declare for both. A stream can declare only one, so the filter requests this one. */
        public static final String LINES = "application/vnd.windrow.lines";

        private static final String AS = "as";

        /** The value of the header Accept that selects a stream. */
        public static String accept(boolean csv) {
            return LINES + ";" + AS + "=" + (csv ? "csv" : "ndjson");
        }

        public static boolean isCsv(HttpHeaders headers) {
            return headers.getAcceptableMediaTypes().stream().anyMatch(type -> "csv".equals(type.getParameters().get(AS)));
        }

        static String contentType(boolean csv) {
            return csv ? CSV + ";charset=UTF-8" : NDJSON;
        }
    }

    /**
     * Writes lines of CSV as in RFC 4180: a header, CRLF, cells quoted only if necessary, and empty if there is no value.
     *
     * @param spreadsheet whether to protect spreadsheets from formula injection: text that would start a formula, at its
     *        beginning or after a semicolon, gets an apostrophe in front, so that a producer's label is shown and not run.
     *        Numbers stay numbers. The output starts with a byte order mark.
     */
    public record Csv(boolean spreadsheet) {

        /** Characters that start a formula in spreadsheets, or that they drop in front of one. */
        private static final Pattern FORMULA = Pattern.compile("(?:^|(?<=[;\t]))(?=\"*[=+@\\-\t\r\n])");
        /** Without it, spreadsheets assume the encoding of their system instead of UTF-8. */
        private static final String BYTE_ORDER_MARK = "\uFEFF";

        String header(List<String> columns) {
            return (spreadsheet ? BYTE_ORDER_MARK : "") + line(columns);
        }

        String line(List<? extends @Nullable Object> cells) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < cells.size(); i++) {
                if (i > 0) {
                    line.append(',');
                }
                Object cell = cells.get(i);
                if (cell instanceof BigDecimal number) {
                    line.append(number.toPlainString());
                } else if (cell != null) {
                    append(line, shown(cell.toString()));
                }
            }
            return line.append("\r\n").toString();
        }

        /** Puts an apostrophe before a formula. Where lists are separated by semicolons, a cell may begin within a text. */
        private String shown(String text) {
            return spreadsheet ? FORMULA.matcher(text).replaceAll("'") : text;
        }

        private static void append(StringBuilder line, String text) {
            boolean plain = text.chars().noneMatch(c -> c == '"' || c == ',' || c == '\r' || c == '\n');
            if (plain) {
                line.append(text);
            } else {
                line.append('"').append(text.replace("\"", "\"\"")).append('"');
            }
        }
    }

    /** An item of an answer that can also be a line of a table. */
    public interface Row {

        /** Returns the row's cells in the order of the columns; null for an empty one. */
        List<@Nullable Object> cells(Layout layout);
    }

    /**
     * The columns of a table: the attributes of the label, further columns, and the measures and ratios.
     *
     * @param places the position in the label of each label value of a row
     */
    public record Layout(Dataset dataset, List<Integer> places) {

        /** The layout of rows that have all values of the label, or the first ones. */
        public static Layout of(Dataset dataset) {
            return new Layout(dataset, IntStream.range(0, dataset.label().size()).boxed().toList());
        }

        /** The first columns, followed by one for each measure and ratio. */
        public List<String> columns(List<String> first) {
            List<String> columns = new ArrayList<>(first);
            dataset.columns().forEach(column -> columns.add(column.name()));
            return columns;
        }

        /** Returns a cell for each attribute of the label; attributes that are not part of the row's group are empty. */
        public List<@Nullable Object> labelCells(List<String> values) {
            List<@Nullable Object> cells = new ArrayList<>(Collections.nCopies(dataset.label().size(), null));
            for (int i = 0; i < values.size(); i++) {
                cells.set(places.get(i), values.get(i));
            }
            return cells;
        }

        public List<@Nullable Object> withNumbers(List<@Nullable Object> first, Map<String, @Nullable BigDecimal> numbers) {
            List<@Nullable Object> cells = new ArrayList<>(first);
            dataset.columns().forEach(column -> cells.add(numbers.get(column.name())));
            return cells;
        }
    }
}
