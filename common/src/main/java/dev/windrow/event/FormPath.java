package dev.windrow.event;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * Field names joined by dots, from the root of an object. Where a field name itself contains dots, the longest name that
 * the object has is taken. After a name, {@code [0]} stands for the value of an array of one; before the first, each
 * {@code ../} stands for the object that has the array in which the object is.
 */
public final class FormPath {

    private static final String UP = "../";
    private static final String ONLY = "[0]";

    private final String text;
    private final int up;
    /** The possible next steps, longest name first, by the number of names that lead to the object. */
    private final Step[][] steps;

    private record Step(String name, boolean isOnly, int next) {
    }

    /** @param text field names, none of them empty, such as {@code s3.bucket.name} */
    public FormPath(String text) {
        this.text = text;
        int above = 0;
        while (text.startsWith(UP, above * UP.length())) {
            above++;
        }
        this.up = above;
        String[] parts = text.substring(above * UP.length()).split("\\.", -1);
        this.steps = new Step[parts.length][];
        for (int from = 0; from < parts.length; from++) {
            List<Step> possible = new ArrayList<>();
            StringBuilder name = new StringBuilder();
            for (int to = from; to < parts.length; to++) {
                boolean isOnly = parts[to].endsWith(ONLY);
                name.append(to == from ? "" : ".")
                        .append(isOnly ? parts[to].substring(0, parts[to].length() - ONLY.length()) : parts[to]);
                possible.add(0, new Step(name.toString(), isOnly, to + 1));
                if (isOnly) {
                    break;
                }
            }
            steps[from] = possible.toArray(Step[]::new);
        }
    }

    /** The number of objects on the path, which is at most that of its names. */
    public int length() {
        return steps.length;
    }

    /** How many arrays the path leads out of. */
    public int up() {
        return up;
    }

    /** The names of fields that the path may lead to. */
    public Set<String> fields() {
        return names(false);
    }

    /** The names of fields of which the path may take the only value. */
    public Set<String> arrays() {
        return names(true);
    }

    private Set<String> names(boolean onlyArrays) {
        return Arrays.stream(steps).flatMap(Arrays::stream).filter(step -> step.isOnly || !onlyArrays).map(Step::name)
                .collect(Collectors.toSet());
    }

    /**
     * Follows the path.
     *
     * @param root the fields of the object; nested objects are maps too, and arrays whose only value may be needed are
     *        {@link Elements}
     * @return the value at the path, which may be a {@link Miss}; null if it is missing
     */
    public @Nullable Object find(Map<?, ?> root) {
        Object at = root;
        for (int from = 0; from < steps.length;) {
            if (!(at instanceof Map<?, ?> fields)) {
                return beyond(at);
            }
            Object next = null;
            Step taken = steps[from][0];
            for (int i = 0; next == null && i < steps[from].length; i++) {
                taken = steps[from][i];
                next = fields.get(taken.name);
            }
            if (next != null && taken.isOnly) {
                next = only(next);
            }
            if (next == null) {
                return null;
            }
            from = taken.next;
            at = next;
        }
        return at;
    }

    /** Only objects have fields. An unusable field, such as a duplicate, is returned to report its error. */
    private static @Nullable Object beyond(Object value) {
        if (value instanceof Attribute.Nested || value instanceof FormElements) {
            return PathMiss.THROUGH_ARRAY;
        }
        return value instanceof Attribute ? null : value;
    }

    private static @Nullable Object only(Object value) {
        if (value instanceof FormElements array) {
            return array.size() > 1 ? PathMiss.MANY : array.first();
        }
        return value instanceof Attribute || value instanceof Map ? PathMiss.NO_ARRAY : value;
    }

    /** The path as declared. */
    public String text() {
        return text;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof FormPath path && path.text.equals(text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }
}
