package dev.windrow.bench.page;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import dev.windrow.bench.page.Section.Table;
import dev.windrow.bench.page.Section.Target;

/** Two results side by side. */
final class BeforeAndAfter {

    private static final String PROFILE = "profile";
    private static final int NUMBER = 2;

    private BeforeAndAfter() {
    }

    /** The targets that both have. */
    static List<List<Object>> targets(Result before, Result now) {
        List<List<Object>> rows = new ArrayList<>();
        all(now).forEach(target -> all(before).filter(earlier -> earlier.what().equals(target.what()))
                .forEach(earlier -> rows.add(List.of(target.what(), earlier.measured(), target.measured()))));
        return rows;
    }

    private static Stream<Target> all(Result result) {
        return result.sections().stream().flatMap(section -> section.targets().stream());
    }

    /** The profiles by stage. */
    static List<Table> profiles(Result before, Result now) {
        List<Table> all = new ArrayList<>();
        tables(now).forEach(table -> tables(before).filter(earlier -> earlier.title().equals(table.title()))
                .forEach(earlier -> all.add(new Table("Profile, " + table.title(),
                        List.of("stage", "µs of CPU per event before", "now"), rows(earlier, table)))));
        return all;
    }

    private static Stream<Table> tables(Result result) {
        return result.sections().stream().filter(section -> section.id().equals(PROFILE))
                .flatMap(section -> section.tables().stream()).filter(table -> table.columns().contains("stage"));
    }

    private static List<List<Object>> rows(Table before, Table now) {
        Map<Object, Object> earlier = byStage(before);
        Map<Object, Object> later = byStage(now);
        Map<Object, Object> stages = new LinkedHashMap<>(earlier);
        stages.putAll(later);
        List<List<Object>> rows = new ArrayList<>();
        stages.keySet().forEach(
                stage -> rows.add(List.of(stage, earlier.getOrDefault(stage, ""), later.getOrDefault(stage, ""))));
        return rows;
    }

    private static Map<Object, Object> byStage(Table table) {
        Map<Object, Object> numbers = new LinkedHashMap<>();
        for (List<Object> row : table.rows()) {
            String stage = String.valueOf(row.get(0));
            numbers.put(stage.startsWith("all,") ? "all" : stage, row.get(NUMBER));
        }
        return numbers;
    }
}
