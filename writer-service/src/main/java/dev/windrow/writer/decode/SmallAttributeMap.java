package dev.windrow.writer.decode;

import java.util.AbstractMap;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import dev.windrow.dataset.Event.Attribute;

/** The attributes of one event. They are few, so a linear search costs less than a hash table for each event. */
final class SmallAttributeMap extends AbstractMap<String, Attribute> {

    private static final int FEW = 2;

    private String[] names = new String[FEW];
    private Attribute[] values = new Attribute[FEW];
    private int size;

    /** @return false, and nothing is added, if there is one of that name */
    boolean add(String name, Attribute value) {
        if (get(name) != null) {
            return false;
        }
        if (size == names.length) {
            names = Arrays.copyOf(names, 2 * size);
            values = Arrays.copyOf(values, 2 * size);
        }
        names[size] = name;
        values[size] = value;
        size++;
        return true;
    }

    @Override
    public @Nullable Attribute get(@Nullable Object name) {
        for (int i = 0; i < size; i++) {
            if (names[i].equals(name)) {
                return values[i];
            }
        }
        return null;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public Set<Map.Entry<String, Attribute>> entrySet() {
        Map<String, Attribute> all = new LinkedHashMap<>();
        for (int i = 0; i < size; i++) {
            all.put(names[i], values[i]);
        }
        return Collections.unmodifiableSet(all.entrySet());
    }
}
