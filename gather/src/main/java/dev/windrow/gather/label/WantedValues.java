package dev.windrow.gather.label;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

import dev.windrow.base.KeyCodec;
import dev.windrow.base.Sanitized;
import dev.windrow.dataset.Dataset;
import dev.windrow.gather.parameter.Parameters;
import dev.windrow.gather.parameter.QueryParameter;

/**
 * The values wanted of attributes.
 *
 * @param values the wanted values of each attribute of the label; an empty set for any
 */
public record WantedValues(List<SortedSet<String>> values) {

    static final WantedValues ANY = new WantedValues(List.of());
    /** Bounded, because each item that is read is looked up in them. */
    private static final int MAX_VALUES = 1_000;

    static WantedValues of(Dataset dataset, Parameters parameters) {
        List<List<String>> given = conditions(parameters);
        if (given.isEmpty()) {
            return ANY;
        }
        if (given.size() > MAX_VALUES) {
            throw Parameters.invalid(QueryParameter.WHERE, "expected at most " + MAX_VALUES + " values, found "
                    + given.size());
        }
        List<SortedSet<String>> values = Stream.<SortedSet<String>> generate(TreeSet::new).limit(dataset.label().size())
                .toList();
        given.forEach(condition -> {
            KeyCodec.utf8Length(QueryParameter.WHERE.word(), condition.get(1));
            values.get(place(dataset, QueryParameter.WHERE, condition.get(0))).add(condition.get(1));
        });
        return new WantedValues(values);
    }

    /** Pairs of an attribute's name and a value. */
    public static List<List<String>> conditions(Parameters parameters) {
        return parameters.texts(QueryParameter.WHERE).stream().map(KeyCodec::decode).toList();
    }

    /**
     * Selects the same labels by longer prefixes, as far as the next values are given and the prefixes do not become too
     * many, so that less is read.
     */
    List<LabelPrefix> narrowed(List<LabelPrefix> prefixes, int max) {
        List<LabelPrefix> longer = prefixes.stream().flatMap(this::next).distinct().toList();
        return longer.isEmpty() || longer.size() > max || longer.equals(prefixes) ? prefixes : narrowed(longer, max);
    }

    private Stream<LabelPrefix> next(LabelPrefix prefix) {
        int place = prefix.values().size();
        if (place >= values.size() || values.get(place).isEmpty()) {
            return Stream.of(prefix);
        }
        return values.get(place).stream().filter(value -> prefix.next().isEmpty() || value.startsWith(prefix.next().get()))
                .map(value -> new LabelPrefix(Stream.concat(prefix.values().stream(), Stream.of(value)).toList(),
                        Optional.empty()));
    }

    /** The wanted values that the prefixes do not already imply, as encoded in keys. */
    List<SortedSet<String>> beyond(List<LabelPrefix> prefixes) {
        List<SortedSet<String>> beyond = new ArrayList<>();
        for (int i = 0; i < values.size(); i++) {
            int place = i;
            SortedSet<String> wanted = new TreeSet<>();
            if (!prefixes.stream().allMatch(prefix -> prefix.values().size() > place
                    && values.get(place).contains(prefix.values().get(place)))) {
                values.get(place).forEach(value -> wanted.add(KeyCodec.encode(List.of(value))));
            }
            beyond.add(Collections.unmodifiableSortedSet(wanted));
        }
        return beyond.stream().allMatch(Set::isEmpty) ? List.of() : beyond;
    }

    /**
     * The place of an attribute in the label.
     *
     * @throws dev.windrow.base.InvalidInputException if the label does not have it
     */
    public static int place(Dataset dataset, QueryParameter parameter, String attribute) {
        int place = dataset.label().indexOf(attribute);
        if (place < 0) {
            throw Parameters.invalid(parameter, Sanitized.of(attribute) + " is not an attribute of the label ("
                    + String.join(", ", dataset.label()) + ")");
        }
        return place;
    }
}
