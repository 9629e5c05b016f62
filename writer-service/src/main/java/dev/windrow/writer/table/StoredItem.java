package dev.windrow.writer.table;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import dev.windrow.table.LaneCodec;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

record StoredItem(Map<String, AttributeValue> attributes) implements LaneCodec.Attributes {

    boolean isEmpty() {
        return attributes.isEmpty();
    }

    /** A whole number; 0 if the attribute is missing. Fails if it is anything else. */
    @Override
    public long number(String attribute) {
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

    /** A number; null if the attribute is missing or of another type. */
    @Nullable
    BigDecimal decimal(String attribute) {
        AttributeValue value = attributes.get(attribute);
        return value == null || value.n() == null ? null : new BigDecimal(value.n());
    }

    /** A string; empty if the attribute is missing. Fails if it is of another type. */
    @Override
    public String text(String attribute) {
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

    /** A set of ids; empty if the attribute is missing. Fails if it is anything else. */
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
