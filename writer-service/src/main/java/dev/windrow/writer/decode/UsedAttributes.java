package dev.windrow.writer.decode;

import java.util.Set;

import org.jspecify.annotations.Nullable;

/** The names of the attributes that some dataset uses; others are skipped unread. */
final class UsedAttributes {

    private final Set<String> names;
    private final String[] all;

    UsedAttributes(Set<String> names) {
        this.names = Set.copyOf(names);
        this.all = this.names.toArray(String[]::new);
    }

    boolean contains(String name) {
        return names.contains(name);
    }

    int size() {
        return all.length;
    }

    /** The name that stands there, if it is one of them. */
    @Nullable
    String at(char[] text, int from, int to) {
        for (String name : all) {
            if (isSame(name, text, from, to)) {
                return name;
            }
        }
        return null;
    }

    static boolean isSame(String name, char[] text, int from, int to) {
        if (name.length() != to - from) {
            return false;
        }
        for (int i = 0; i < name.length(); i++) {
            if (name.charAt(i) != text[from + i]) {
                return false;
            }
        }
        return true;
    }
}
