package dev.windrow.writer.decode;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

import dev.windrow.base.Reason;
import dev.windrow.event.EventForm;
import dev.windrow.event.FormPath;

/** Forms of which the first whose conditions hold reads an object, and the field names they may need. Immutable. */
final class FormSet {

    private static final Set<Reason> MEANT_FOR_FORMS = EnumSet.of(Reason.MISSING_FIELD, Reason.WRONG_FIELD_TYPE,
            Reason.INVALID_TIME, Reason.INVALID_ENVELOPE, Reason.UNKNOWN_EVENT_TYPE, Reason.MISSING_LABEL);

    final List<EventForm> all;
    private final List<String> each;
    /** The fields of the object, then of what has the array in which it is, and so on. */
    private final List<Used> used = new ArrayList<>();
    final int total;

    private FormSet(List<String> each, List<EventForm> all, int total) {
        this.all = List.copyOf(all);
        this.each = each;
        this.total = total;
        List<FormPath> paths = new ArrayList<>();
        for (EventForm form : all) {
            form.when().forEach(requirement -> paths.add(requirement.path()));
            paths.addAll(form.id());
            form.attributes().values().forEach(source -> paths.add(source.path()));
            Stream.of(form.time().path(), form.time().zonePath(), form.tenant()).filter(Objects::nonNull)
                    .forEach(paths::add);
        }
        for (int up = 0; up <= each.size(); up++) {
            int arrays = up;
            used.add(new Used(paths.stream().filter(path -> path.up() == arrays).toList()));
        }
    }

    /** The names of the arrays that lead to the objects. */
    List<String> each() {
        return each;
    }

    /** Whether only the objects themselves are read. */
    boolean isFlat() {
        return each.size() < 2 && used.stream().skip(1).allMatch(fields -> fields.names.isEmpty());
    }

    /** Groups forms by their {@code each}, in declared order. */
    static Map<List<String>, FormSet> byEach(List<EventForm> forms) {
        Map<List<String>, List<EventForm>> byEach = new LinkedHashMap<>();
        forms.forEach(form -> byEach.computeIfAbsent(form.each(), each -> new ArrayList<>()).add(form));
        Map<List<String>, FormSet> sets = new LinkedHashMap<>();
        byEach.forEach((each, those) -> sets.put(each, new FormSet(each, those, forms.size())));
        return sets;
    }

    /** Whether an object with this error may have been meant for a form. */
    static boolean isExplained(Reason reason) {
        return MEANT_FOR_FORMS.contains(reason);
    }

    String noneFits() {
        return total == 1 ? "the form `" + all.get(0).type() + "` does not fit" : "none of " + total + " forms fits";
    }

    /** The fields to keep of objects in this many arrays. */
    Used used(int arrays) {
        return used.get(arrays);
    }

    /** The names of the fields that paths may lead to, and how deep they lead. */
    static final class Used {

        final Set<String> names = new HashSet<>();
        final Set<String> arrays = new HashSet<>();
        final int depth;

        Used(List<FormPath> paths) {
            for (FormPath path : paths) {
                names.addAll(path.fields());
                arrays.addAll(path.arrays());
            }
            this.depth = paths.stream().mapToInt(FormPath::length).max().orElse(0);
        }
    }
}
