package dev.windrow.writer.decode;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Set;

import org.jspecify.annotations.Nullable;

/** The names of the attributes that some dataset uses; others are skipped unread. */
final class UsedAttributes {

    /** Maximum size of a name that the fast parser reads, used or not. */
    static final int MAX_PLAIN_BYTES = 256;

    private final Set<String> names;
    /** All but those at which the fast parser gives up anyway: long ones, and such that JSON has to escape. */
    private final FieldName[] fields;

    UsedAttributes(Set<String> names) {
        this.names = Set.copyOf(names);
        this.fields = this.names.stream().filter(UsedAttributes::isPlain).map(FieldName::new).toArray(FieldName[]::new);
    }

    private static boolean isPlain(String name) {
        return name.getBytes(UTF_8).length <= MAX_PLAIN_BYTES && UTF_8.newEncoder().canEncode(name)
                && name.chars().noneMatch(c -> c < ' ' || c == '"' || c == '\\');
    }

    boolean contains(String name) {
        return names.contains(name);
    }

    /** Skips the name of a field and its colon if it is one of them, which is returned. */
    @Nullable
    String passed(FastJsonScanner json) {
        json.skipBlank();
        for (FieldName field : fields) {
            if (json.passed(field)) {
                return field.name();
            }
        }
        return null;
    }
}
