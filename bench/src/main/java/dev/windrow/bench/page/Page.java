package dev.windrow.bench.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Generates the page from a result file, the source of every number in it. */
public final class Page {

    private static final List<String> SERVICES = List.of("writer", "gatherer /buckets");
    /** Lower bounds, not meant for production. */
    private static final Set<String> BOUNDS = Set.of("floor", "receive and delete only");
    /** Smaller differences are noise of the machine. */
    private static final double MARGIN = 1.02;
    private static final Set<String> SMALLER_IS_BETTER = Set.of("median ms", "p99 ms", "ms of CPU per gather",
            "µs of CPU per event", "write units per event");
    private static final Set<String> LARGER_IS_BETTER = Set.of("gathers/s", "events/s");

    private final StringBuilder page = new StringBuilder();

    private Page() {
    }

    /**
     * Writes {@code benchmarks.md}.
     *
     * @param source name of the result file
     * @param docs folder of the page
     */
    public static void write(Result result, String source, Path docs) {
        try {
            Files.createDirectories(docs);
            Files.writeString(docs.resolve("benchmarks.md"), text(result, source));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String text(Result result, String source) {
        return new Page().make(result, source);
    }

    private String make(Result result, String source) {
        page.append(resource("head.md").replace("SOURCE", source)).append('\n');
        List<Target> targets = result.sections().stream().flatMap(section -> section.found().targets().stream()).toList();
        table(List.of("what", "target", "measured", ""), targets.stream().map(target -> List.<Object> of(
                target.what(), (target.atMost() ? "at most " : "at least ") + number(target.bound()), target.measured(),
                target.isMet() ? "met" : "**missed**")).toList());
        missed(targets.stream().filter(target -> !target.isMet()).toList());
        List<String> ahead = result.sections().stream().flatMap(section -> ahead(section).stream()).toList();
        page.append(resource("ahead.md")).append('\n').append(ahead.isEmpty() ? "None." : String.join("\n", ahead))
                .append("\n\n");
        for (Section section : result.sections()) {
            page.append("## ").append(section.title()).append("\n\n").append(section.text().strip()).append("\n\n");
            table(section.found().columns(), section.found().rows());
            page.append("Measured ").append(section.measured()).append(".\n\n");
        }
        page.append("## The run\n\n");
        table(List.of("", ""),
                result.run().entrySet().stream().map(entry -> List.<Object> of(entry.getKey(), entry.getValue())).toList());
        return page.toString().strip() + "\n";
    }

    /** Returns the text of a resource next to this class. */
    static String resource(String name) {
        try (InputStream text = Objects.requireNonNull(Page.class.getResourceAsStream(name), name)) {
            return new String(text.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void missed(List<Target> missed) {
        if (!missed.isEmpty()) {
            Properties why = new Properties();
            try {
                why.load(new StringReader(resource("why.properties")));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            page.append("Missed, and why:\n\n").append(missed.stream().map(target -> "- **" + target.what() + "**: "
                    + why.getProperty(target.id(), "not yet understood.")).collect(Collectors.joining("\n"))).append("\n\n");
        }
    }

    private void table(List<String> columns, List<List<Object>> rows) {
        line(columns);
        page.append("|").append("---|".repeat(columns.size())).append('\n');
        rows.forEach(row -> line(row.stream().map(Page::cell).toList()));
        page.append('\n');
    }

    private void line(List<String> cells) {
        page.append("| ").append(String.join(" | ", cells)).append(" |\n");
    }

    private static String cell(Object cell) {
        return cell instanceof Number number ? number(number.doubleValue()) : String.valueOf(cell).replace("|", "\\|");
    }

    /** Formats a number with three significant digits, or as a whole number with thousands grouped. */
    static String number(double value) {
        double size = Math.abs(value);
        if (size >= 100 || value == Math.rint(value)) {
            return String.format(Locale.ROOT, "%,.0f", value);
        }
        return String.format(Locale.ROOT, size >= 10 ? "%.1f" : size >= 1 ? "%.2f" : size >= 0.1 ? "%.3f" : "%.4f", value);
    }

    /** Returns a list item for each baseline that is better than the service under the same load. */
    private static List<String> ahead(Section section) {
        List<String> lines = new ArrayList<>();
        List<String> columns = section.found().columns();
        List<List<Object>> rows = section.found().rows();
        for (List<Object> service : rows) {
            for (List<Object> row : SERVICES.contains(service.get(0)) ? rows : List.<List<Object>> of()) {
                String better = !row.get(1).equals(service.get(1)) || BOUNDS.contains(row.get(0)) ? ""
                        : IntStream.range(2, row.size())
                                .filter(i -> isAhead(columns.get(i), number(row, i), number(service, i)))
                                .mapToObj(i -> columns.get(i) + " " + number(number(row, i)) + " to "
                                        + number(number(service, i)))
                                .collect(Collectors.joining("; "));
                if (!better.isEmpty()) {
                    lines.add("- " + section.title() + ", " + row.get(1) + ": **" + row.get(0) + "** (" + better + ")");
                }
            }
        }
        return lines;
    }

    private static boolean isAhead(String column, double baseline, double service) {
        return (SMALLER_IS_BETTER.contains(column) && baseline * MARGIN < service)
                || (LARGER_IS_BETTER.contains(column) && baseline > service * MARGIN);
    }

    private static double number(List<Object> row, int column) {
        return ((Number) row.get(column)).doubleValue();
    }
}
