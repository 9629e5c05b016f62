package dev.windrow.bench.table;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.math.BigDecimal;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * An attribute's value: text (S), a number (N), bytes in base64 (B) or a set of them (BS).
 *
 * @param type DynamoDB's name of the type
 * @param content a text, a number, or a set of texts
 * @param bytes its size by the service's rules: text in UTF-8, a byte for two digits of a number
 */
public record Value(String type, Object content, int bytes) {

    /** @param text of the protocol's JSON */
    public static Value of(String type, String text) {
        return switch (type) {
            case "S" -> new Value(type, text, text.getBytes(UTF_8).length);
            case "N" -> number(new BigDecimal(text));
            case "B" -> new Value(type, text, binary(text));
            default -> throw new IllegalArgumentException("expected a value of type S, N, B or BS, found " + type);
        };
    }

    /** A set of bytes in base64. */
    public static Value set(Collection<String> members) {
        return new Value("BS", Set.copyOf(members), members.stream().mapToInt(Value::binary).sum());
    }

    static Value number(BigDecimal number) {
        return new Value("N", number, (number.precision() + 1) / 2 + 1);
    }

    private static int binary(String base64) {
        return base64.length() / 4 * 3 - (base64.endsWith("==") ? 2 : base64.endsWith("=") ? 1 : 0);
    }

    /** The members of a set. */
    @SuppressWarnings("unchecked")
    public Set<String> members() {
        if (!(content instanceof Set)) {
            throw new IllegalArgumentException("expected a set, found " + type);
        }
        return (Set<String>) content;
    }

    /** Whether it is a set with a member. */
    boolean contains(Value member) {
        return content instanceof Set && member.type.equals("B") && members().contains(member.content);
    }

    /** How many members a set has, or bytes the others. */
    int size() {
        return content instanceof Set ? members().size() : bytes;
    }

    /** This and another number, or the members of both sets. */
    Value plus(Value other) {
        if (!type.equals(other.type) || !(type.equals("N") || type.equals("BS"))) {
            throw new IllegalArgumentException("ADD: expected two numbers or two sets, found " + type + " and " + other.type);
        }
        if (content instanceof BigDecimal number) {
            return number(number.add((BigDecimal) other.content));
        }
        Set<String> all = new LinkedHashSet<>(members());
        all.addAll(other.members());
        return set(all);
    }

    /** Numbers and texts by their order. */
    int compare(Value other) {
        if (!type.equals(other.type) || content instanceof Set) {
            throw new IllegalArgumentException("expected two numbers or two texts, found " + type + " and " + other.type);
        }
        return content instanceof BigDecimal number ? number.compareTo((BigDecimal) other.content)
                : content.toString().compareTo(other.content.toString());
    }
}
