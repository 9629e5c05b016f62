package dev.windrow.bench.page;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.windrow.bench.page.Section.Table;

/** Finds the rows of tables in which a baseline is better than the service that is compared with it. */
final class Ahead {

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
                        + Stream.concat(Stream.of(section.title(), table.title()), loads.stream().map(i -> load(table, row, i)))
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
        return IntStream.range(0, columns.size()).filter(i -> row.get(i) instanceof Number && service.get(i) instanceof Number)
                .filter(i -> isAhead(columns.get(i), number(row, i), number(service, i)))
                .mapToObj(i -> columns.get(i) + " " + Page.number(number(row, i)) + " to " + Page.number(number(service, i)))
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
