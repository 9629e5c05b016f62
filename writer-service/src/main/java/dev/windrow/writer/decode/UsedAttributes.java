package dev.windrow.writer.decode;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/** The names of the attributes that some dataset uses; others are skipped unread. */
final class UsedAttributes {

    private final Set<String> names;
    private final Name[] all;

    private record Name(String name, byte[] utf8) {
    }

    UsedAttributes(Set<String> names) {
        this.names = Set.copyOf(names);
        this.all = this.names.stream().map(name -> new Name(name, name.getBytes(UTF_8))).toArray(Name[]::new);
    }

    boolean contains(String name) {
        return names.contains(name);
    }

    /** The name of these bytes of UTF-8, if it is one of them. */
    @Nullable
    String at(byte[] text, int from, int to) {
        for (Name name : all) {
            if (Arrays.equals(name.utf8, 0, name.utf8.length, text, from, to)) {
                return name.name;
            }
        }
        return null;
    }
}
