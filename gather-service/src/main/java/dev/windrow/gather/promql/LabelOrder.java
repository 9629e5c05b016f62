package dev.windrow.gather.promql;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.SortedMap;

/** Orders sets of labels: by the first label, name or value, that differs. */
final class LabelOrder implements Comparator<SortedMap<String, String>> {

    static final LabelOrder INSTANCE = new LabelOrder();

    private LabelOrder() {
    }

    @Override
    public int compare(SortedMap<String, String> a, SortedMap<String, String> b) {
        Iterator<String> rest = flat(b).iterator();
        for (String text : flat(a)) {
            int order = rest.hasNext() ? text.compareTo(rest.next()) : 1;
            if (order != 0) {
                return order;
            }
        }
        return rest.hasNext() ? -1 : 0;
    }

    private static List<String> flat(SortedMap<String, String> labels) {
        List<String> flat = new ArrayList<>();
        labels.forEach((name, value) -> flat.addAll(List.of(name, value)));
        return flat;
    }
}
