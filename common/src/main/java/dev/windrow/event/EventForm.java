package dev.windrow.event;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.KeyCodec;

/**
 * How a producer's JSON objects that lack the fields of Windrow's own form are read as events.
 *
 * @param each the names of the arrays that lead to the objects: a field of the message, then a field of each of its elements,
 *        and so on; empty to read an object as it arrived
 * @param when the conditions that an object must meet, by path; at least one
 * @param id the paths of the parts of its id, which are joined by a space; empty for events without an id
 * @param tenant the path of its tenant; null for the message's tenant
 * @param attributes the sources of its attributes, by their names in datasets
 */
public record EventForm(String type, List<String> each, List<FormRequirement> when, FormTime time, List<FormPath> id,
        @Nullable FormPath tenant, SortedMap<String, FormSource> attributes) {

    public EventForm {
        each = List.copyOf(each);
        when = List.copyOf(when);
        id = List.copyOf(id);
        attributes = new TreeMap<>(attributes);
    }

    /** Returns the field of the producer's object that a field of the event comes from, for error messages. */
    public String origin(String field) {
        String prefix = "attributes.";
        FormSource source = field.startsWith(prefix) ? attributes.get(field.substring(prefix.length())) : null;
        if (source != null) {
            return source.path().text();
        }
        return field.equals("id") && !id.isEmpty() ? String.join(" ", id.stream().map(FormPath::text).toList()) : field;
    }

    /** The canonical text, without spaces: equal for forms that read every object the same way. */
    public String text() {
        List<String> parts = new ArrayList<>();
        parts.add(each.size() > 1 ? KeyCodec.encode(each) : String.join("", each));
        when.stream().sorted((one, other) -> one.path().text().compareTo(other.path().text()))
                .forEach(requirement -> parts.add(requirement.text()));
        parts.add(time.text());
        parts.add(KeyCodec.encode(List.of("id", String.join(" ", id.stream().map(FormPath::text).toList()))));
        parts.add(KeyCodec.encode(List.of("tenant", tenant == null ? "" : tenant.text())));
        attributes.forEach((name, source) -> parts.add(KeyCodec.encode(List.of(name, source.text()))));
        return KeyCodec.encode(parts);
    }

}
