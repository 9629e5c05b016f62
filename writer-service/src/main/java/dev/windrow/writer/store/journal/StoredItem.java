package dev.windrow.writer.store.journal;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** An item as read. */
record StoredItem(Map<String, AttributeValue> attributes) {

    boolean isEmpty() {
        return attributes.isEmpty();
    }

    /**
     * A whole number; 0 if there is none.
     *
     * @throws IllegalArgumentException if the attribute is anything else
     */
    long number(String attribute) {
        AttributeValue value = attributes.get(attribute);
        if (value == null) {
            return 0;
        }
        try {
            return Long.parseLong(String.valueOf(value.n()));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("expected a whole number as " + attribute + ", found "
                    + Objects.requireNonNullElse(value.n(), "another type"), e);
        }
    }

    /** A number; null if there is none. */
    @Nullable
    BigDecimal decimal(String attribute) {
        AttributeValue value = attributes.get(attribute);
        return value == null || value.n() == null ? null : new BigDecimal(value.n());
    }

    /**
     * A text; empty if there is none.
     *
     * @throws IllegalArgumentException if the attribute is anything else
     */
    String text(String attribute) {
        AttributeValue value = attributes.get(attribute);
        if (value != null && value.s() == null) {
            throw new IllegalArgumentException("expected a text as " + attribute + ", found another type");
        }
        return value == null ? "" : value.s();
    }

    byte @Nullable [] bytes(String attribute) {
        AttributeValue value = attributes.get(attribute);
        return value == null || value.b() == null ? null : value.b().asByteArrayUnsafe();
    }

    /**
     * A set of ids; none if there is none.
     *
     * @throws IllegalArgumentException if the attribute is anything else
     */
    long[] ids(String attribute) {
        AttributeValue value = attributes.get(attribute);
        if (value != null
                && (!value.hasBs() || value.bs().stream().anyMatch(id -> id.asByteArrayUnsafe().length != Long.BYTES))) {
            throw new IllegalArgumentException("expected a set of ids of eight bytes as " + attribute + ", found others");
        }
        List<SdkBytes> set = value == null ? List.of() : value.bs();
        return set.stream().mapToLong(id -> id.asByteBuffer().getLong()).toArray();
    }
}
