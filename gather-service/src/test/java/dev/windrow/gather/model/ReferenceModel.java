package dev.windrow.gather.model;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/** Computes answers from lists of events, as simply as possible. It shares no code with the gatherer. */
final class ReferenceModel {

    /** Labels in the order of their values' code points. */
    static final Comparator<List<String>> LABEL_ORDER = (a, b) -> {
        for (int i = 0; i < Math.min(a.size(), b.size()); i++) {
            int order = compareCodePoints(a.get(i).codePoints().toArray(), b.get(i).codePoints().toArray());
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(a.size(), b.size());
    };

    private final ModelDataset dataset;
    private final List<ModelEvent> events;

    ReferenceModel(ModelDataset dataset, String tenant) {
        this.dataset = dataset;
        this.events = dataset.of(tenant);
    }

    record Cell(Instant start, List<String> label) {
    }

    List<String> buckets(String granularity, ModelRange range, boolean descending, LabelFilter filter) {
        Comparator<Cell> order = Comparator.comparing(Cell::start).thenComparing(Cell::label, LABEL_ORDER);
        Map<Cell, List<ModelEvent>> cells = new TreeMap<>(descending ? order.reversed() : order);
        for (ModelEvent event : events) {
            Instant start = ModelCalendar.floor(granularity, event.time());
            if (range.holds(start) && filter.matches(event.label())) {
                cells.computeIfAbsent(new Cell(start, event.label()), absent -> new ArrayList<>()).add(event);
            }
        }
        List<String> rows = new ArrayList<>();
        cells.forEach((cell, of) -> rows
                .add(RowText.of(List.of(cell.label(), granularity, cell.start()), dataset.measures(), present(of))));
        return rows;
    }

    /** Totals of labels over what is kept of a range. */
    String totals(LabelFilter filter, ModelRange range) {
        List<Object> head = new ArrayList<>(List.of(filter.first()));
        if (!range.from().equals(ModelRange.BEGIN)) {
            head.add(range.from());
        }
        if (!range.to().equals(ModelCalendar.END)) {
            head.add(range.to());
        }
        return RowText.of(head, dataset.measures(), total(inRange(range, filter)));
    }

    /** The buckets with the highest values of a measure over all labels. */
    List<String> busiest(String granularity, ZoneId zone, String by, int n, ModelRange range, LabelFilter filter,
            Instant exists) {
        Map<Instant, List<ModelEvent>> starts = grouped(events.stream().filter(event -> filter.matches(event.label())
                && range.holds(ModelCalendar.floor(granularity, zone, event.time()))
                && !ModelCalendar.floor(granularity, zone, event.time()).isBefore(exists)).toList(),
                event -> ModelCalendar.floor(granularity, zone, event.time()));
        return best(starts, by, n, Comparator.naturalOrder()).stream()
                .map(start -> RowText.of(List.of(granularity, start(start, zone)), dataset.measures(),
                        present(starts.getOrDefault(start, List.of()))))
                .toList();
    }

    /** Sums by hour of the day, day of the week or hour of the week; a slot is a day, an hour, or both. */
    List<String> profile(String profile, ZoneId zone, ModelRange range, LabelFilter filter) {
        boolean days = profile.endsWith("-of-week");
        boolean hours = profile.startsWith("hour-");
        Map<List<Integer>, List<ModelEvent>> slots = grouped(inRange(range, filter), event -> {
            ZonedDateTime time = event.time().atZone(zone);
            return slot(days, time.getDayOfWeek().getValue(), hours, time.getHour());
        });
        List<String> rows = new ArrayList<>();
        for (int day = 1; day <= (days ? 7 : 1); day++) {
            for (int hour = 0; hour < (hours ? 24 : 1); hour++) {
                List<Integer> slot = slot(days, day, hours, hour);
                rows.add(RowText.of(slot, dataset.measures(), total(slots.getOrDefault(slot, List.of()))));
            }
        }
        return rows;
    }

    private static List<Integer> slot(boolean days, int day, boolean hours, int hour) {
        return days ? hours ? List.of(day, hour) : List.of(day) : List.of(hour);
    }

    /** All measures over a range. */
    Map<String, @Nullable BigDecimal> sums(ModelRange range, LabelFilter filter) {
        return total(inRange(range, filter));
    }

    /** Events of labels by the start of their local bucket. */
    Map<Instant, List<ModelEvent>> series(Predicate<List<String>> labels, Predicate<Instant> times, String granularity,
            ZoneId zone) {
        return grouped(events.stream().filter(event -> labels.test(event.label()) && times.test(event.time())).toList(),
                event -> ModelCalendar.floor(granularity, zone, event.time()));
    }

    static String start(Instant start, ZoneId zone) {
        return zone.equals(ZoneOffset.UTC)
                ? start.toString()
                : DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(start.atZone(zone));
    }

    Map<String, @Nullable BigDecimal> present(Collection<ModelEvent> of) {
        Map<String, @Nullable BigDecimal> values = new LinkedHashMap<>();
        dataset.measures()
                .forEach(measure -> measure.shown(of).ifPresent(value -> values.put(measure.name(), value)));
        return values;
    }

    /** All measures that have a value or add up. */
    Map<String, @Nullable BigDecimal> known(Collection<ModelEvent> of) {
        Map<String, @Nullable BigDecimal> values = new LinkedHashMap<>();
        dataset.measures()
                .forEach(measure -> measure.total(of).ifPresent(value -> values.put(measure.name(), value)));
        return values;
    }

    Map<String, @Nullable BigDecimal> total(Collection<ModelEvent> of) {
        Map<String, @Nullable BigDecimal> values = new LinkedHashMap<>();
        for (ModelMeasure measure : dataset.measures()) {
            values.put(measure.name(), measure.total(of).orElse(null));
        }
        return values;
    }

    List<ModelEvent> inRange(ModelRange range, LabelFilter filter) {
        return events.stream().filter(event -> filter.matches(event.label())).filter(event -> range.holds(event.time()))
                .toList();
    }

    private <K> List<K> best(Map<K, List<ModelEvent>> groups, String by, int n, Comparator<? super K> ties) {
        Map<K, BigDecimal> values = new LinkedHashMap<>();
        groups.forEach((key, of) -> dataset.measure(by).shown(of).ifPresent(value -> values.put(key, value)));
        Comparator<Map.Entry<K, BigDecimal>> most = Map.Entry.<K, BigDecimal> comparingByValue().reversed();
        return values.entrySet().stream().sorted(most.thenComparing(Map.Entry::getKey, ties)).limit(n)
                .map(Map.Entry::getKey).toList();
    }

    private static <K> Map<K, List<ModelEvent>> grouped(List<ModelEvent> events, Function<ModelEvent, K> key) {
        return events.stream().collect(Collectors.groupingBy(key));
    }

    private static int compareCodePoints(int[] a, int[] b) {
        return java.util.Arrays.compare(a, b);
    }
}
