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
import java.util.stream.Stream;

import dev.windrow.bench.page.Section.Table;
import dev.windrow.bench.page.Section.Target;

/** Makes the page from a result file: every number in it comes from there. */
public final class Page {

    /** The targets that matter most to what a user pays and waits for. */
    private static final List<String> HEADLINES = List.of("steady.1.1", "steady.100.1", "steady.100.3", "writer.units.1",
            "writer.units.100", "writer.plain.100", "writer.idle", "gather.floor.100", "gather.bare.cpu.100",
            "gather.node.cpu.100", "gather.bare.100", "throughput.p99", "ranked.units", "recovery.failover",
            "recovery.journal");

    private final StringBuilder page = new StringBuilder();

    private Page() {
    }

    /**
     * Writes {@code benchmarks.md}.
     *
     * @param source name of the result file
     * @param docs the folder of the page
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
        try {
            return new Page().make(result, source);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String make(Result result, String source) throws IOException {
        page.append(resource("head.md"));
        List<Target> targets = result.sections().stream().flatMap(section -> section.targets().stream()).toList();
        page.append("\n");
        targetTable(HEADLINES.stream().flatMap(id -> targets.stream().filter(target -> target.id().equals(id))).toList());
        page.append(resource("ahead.md")).append('\n');
        List<String> ahead = Ahead.of(result.sections());
        page.append(ahead.isEmpty() ? "None." : String.join("\n", ahead)).append("\n\n## The run\n\n");
        page.append(resource("run.md").replace("SOURCE", source)).append('\n');
        table(new Table("", List.of("", ""),
                result.run().entrySet().stream().map(entry -> List.<Object> of(entry.getKey(), entry.getValue())).toList()));
        page.append("## All targets\n\n");
        targets(targets);
        for (Section section : result.sections()) {
            page.append("## ").append(section.title()).append("\n\n").append(section.text().strip()).append("\n\n");
            if (!section.measured().isEmpty()) {
                page.append("Measured ").append(section.measured()).append(section.again() == 0 ? ""
                        : "; measured again " + times(section.again()) + " since the last run of all sections").append(".\n\n");
            }
            section.tables().forEach(this::table);
        }
        return page.toString().strip() + "\n";
    }

    /** The text of a resource beside this class. */
    static String resource(String name) {
        try (InputStream text = Objects.requireNonNull(Page.class.getResourceAsStream(name), name)) {
            return new String(text.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void targets(List<Target> targets) throws IOException {
        targetTable(targets);
        List<Target> missed = targets.stream().filter(target -> !target.isMet()).toList();
        if (!missed.isEmpty()) {
            Properties why = new Properties();
            why.load(new StringReader(resource("why.properties")));
            page.append("Missed, and why:\n\n");
            page.append(missed.stream().map(target -> "- **" + target.what() + "**: "
                    + why.getProperty(target.id(), why.getProperty(target.id().replaceFirst("\\.\\d+$", ""),
                            "not yet understood.")))
                    .collect(Collectors.joining("\n"))).append("\n\n");
        }
    }

    private void targetTable(List<Target> targets) {
        table(new Table("", List.of("what", "target", "measured", ""), targets.stream().map(target -> List.<Object> of(
                target.what(), (target.atMost() ? "at most " : "at least ") + number(target.bound()), target.measured(),
                target.isMet() ? "met" : "**missed**")).toList()));
    }

    private static String times(int count) {
        return count == 1 ? "once" : count + " times";
    }

    private void table(Table table) {
        if (!table.title().isEmpty()) {
            page.append("**").append(table.title()).append("**\n\n");
        }
        line(table.columns());
        page.append("|").append("---|".repeat(table.columns().size())).append('\n');
        table.rows().forEach(row -> line(row.stream().map(Page::cell).toList()));
        page.append('\n');
    }

    private void line(List<String> cells) {
        page.append("| ").append(String.join(" | ", cells)).append(" |\n");
    }

    private static String cell(Object cell) {
        return cell instanceof Number number ? number(number.doubleValue()) : String.valueOf(cell).replace("|", "\\|");
    }

    /** Three digits that mean something, thousands grouped. */
    static String number(double value) {
        double size = Math.abs(value);
        if (size >= 100 || value == Math.rint(value)) {
            return String.format(Locale.ROOT, "%,.0f", value);
        }
        return String.format(Locale.ROOT, size >= 10 ? "%.1f" : size >= 1 ? "%.2f" : size >= 0.1 ? "%.3f" : "%.4f", value);
    }

    /** Finds the rows of tables in which a baseline is better than the service that is compared with it. */
    private static final class Ahead {

        /** Differences below it are the machine's. */
        private static final double MARGIN = 1.02;
        private static final List<String> SERVICES = List.of("writer", "gatherer /buckets");
        private static final List<String> OURS = List.of("writer", "gatherer");
        private static final Set<String> BOUNDS = Set.of("floor", "receive and delete only");
        /** Columns that name what is compared, and those that say under which load. */
        private static final Set<String> NAMES = Set.of("consumer", "way");
        private static final Set<String> LOADS = Set.of("load", "clients");
        private static final List<String> SMALLER_IS_BETTER = List.of("median ms", "p99 ms", "ms of CPU per gather",
                "KB allocated per gather", "µs of CPU per event", "KB allocated per event", "write units per event");
        private static final List<String> LARGER_IS_BETTER = List.of("gathers/s", "events/s");

        private Ahead() {
        }

        /** A line of a list for each baseline that is ahead somewhere. */
        static List<String> of(List<Section> sections) {
            List<String> all = new ArrayList<>();
            sections.forEach(section -> section.tables().forEach(table -> columns(table, NAMES).limit(1)
                    .forEach(name -> table.rows().stream().filter(row -> SERVICES.contains(row.get(name)))
                            .forEach(service -> all.addAll(of(section, table, name, service))))));
            return all;
        }

        private static List<String> of(Section section, Table table, int name, List<Object> service) {
            List<Integer> loads = columns(table, LOADS).boxed().toList();
            List<String> lines = new ArrayList<>();
            for (List<Object> row : table.rows()) {
                boolean comparable = OURS.stream().noneMatch(row.get(name).toString()::startsWith)
                        && !BOUNDS.contains(row.get(name)) && loads.stream().allMatch(i -> row.get(i).equals(service.get(i)));
                List<String> ahead = comparable ? ahead(table.columns(), row, service) : List.of();
                if (!ahead.isEmpty()) {
                    lines.add("- "
                            + Stream.concat(Stream.of(section.title(), table.title()),
                                    loads.stream().map(i -> load(table, row, i)))
                                    .filter(text -> !text.isEmpty()).reduce((a, b) -> a + ", " + b).orElseThrow()
                            + ": **" + row.get(name) + "** (" + String.join("; ", ahead) + ")");
                }
            }
            return lines;
        }

        private static String load(Table table, List<Object> row, int column) {
            return row.get(column) instanceof Number number
                    ? table.columns().get(column) + ": " + Page.number(number.doubleValue())
                    : row.get(column).toString();
        }

        private static List<String> ahead(List<String> columns, List<Object> row, List<Object> service) {
            return IntStream.range(0, columns.size())
                    .filter(i -> row.get(i) instanceof Number && service.get(i) instanceof Number)
                    .filter(i -> isAhead(columns.get(i), number(row, i), number(service, i)))
                    .mapToObj(
                            i -> columns.get(i) + " " + Page.number(number(row, i)) + " to " + Page.number(number(service, i)))
                    .toList();
        }

        private static boolean isAhead(String column, double baseline, double service) {
            return (SMALLER_IS_BETTER.stream().anyMatch(column::endsWith) && baseline * MARGIN < service)
                    || (LARGER_IS_BETTER.contains(column) && baseline > service * MARGIN);
        }

        private static double number(List<Object> row, int column) {
            return ((Number) row.get(column)).doubleValue();
        }

        private static IntStream columns(Table table, Set<String> names) {
            return IntStream.range(0, table.columns().size()).filter(i -> names.contains(table.columns().get(i)));
        }
    }
}
