package dev.windrow.base;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.WithName;

/** Checks settings against the ranges that their {@link SettingRange} declares. */
public final class SettingRanges {

    private static final String SIZES = "KMGTPEZY";
    private static final int KIBI = 1_024;
    private static final int NANO_DIGITS = 9;

    private final SmallRyeConfig config;
    private final Map<String, Object> values = new HashMap<>();
    private final Map<String, SettingRange> ranges = new TreeMap<>();

    private SettingRanges(SmallRyeConfig config) {
        this.config = config;
    }

    /**
     * Checks all settings of {@code @ConfigMapping} interfaces, which must include every setting used as a limit.
     *
     * @throws InvalidInputException with {@link Reason#INVALID_SETTING}, the key, its range and the value outside it
     */
    public static void check(SmallRyeConfig config, Class<?>... mappings) {
        SettingRanges all = new SettingRanges(config);
        for (Class<?> mapping : mappings) {
            all.read(mapping.getAnnotation(ConfigMapping.class).prefix(), mapping, config.getConfigMapping(mapping));
        }
        // Settings that limit others go first: the limit itself may be wrong.
        all.ranges.keySet().stream().sorted(Comparator.comparing(all::isLimited)).forEach(all::check);
    }

    private void read(String prefix, Class<?> type, Object settings) {
        for (Method method : type.getDeclaredMethods()) {
            if (method.isDefault() || method.isSynthetic() || method.getParameterCount() > 0) {
                continue;
            }
            WithName name = method.getAnnotation(WithName.class);
            String key = prefix + "." + (name == null ? kebab(method.getName()) : name.value());
            Object value = value(method, settings);
            if (method.getReturnType().getDeclaringClass() == type && method.getReturnType().isInterface()) {
                read(key, method.getReturnType(), value);
                continue;
            }
            SettingRange range = method.getAnnotation(SettingRange.class);
            single(key, value).forEach((each, one) -> {
                values.put(each.toString(), one);
                if (range != null) {
                    ranges.put(each.toString(), range);
                }
            });
        }
    }

    private static Object value(Method method, Object settings) {
        try {
            return method.invoke(settings);
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException(method.toString(), e);
        }
    }

    private static String kebab(String name) {
        return name.replaceAll("([a-z0-9])([A-Z])", "$1-$2").toLowerCase(Locale.ROOT);
    }

    /** The values of a setting by key: none if it is absent, several for a map. */
    private static Map<?, ?> single(String key, Object value) {
        if (value instanceof Map<?, ?> map) {
            return map.entrySet().stream().collect(Collectors.toMap(entry -> key + "." + entry.getKey(), Map.Entry::getValue));
        }
        if (value instanceof OptionalDouble number) {
            return number.isPresent() ? Map.of(key, number.getAsDouble()) : Map.of();
        }
        Object present = value instanceof Optional<?> optional ? optional.orElse(null) : value;
        return present == null ? Map.of() : Map.of(key, present);
    }

    private boolean isLimited(String key) {
        SettingRange range = Objects.requireNonNull(ranges.get(key));
        return Stream.of(range.min(), range.above(), range.max(), range.below()).anyMatch(values::containsKey);
    }

    private void check(String key) {
        SettingRange range = Objects.requireNonNull(ranges.get(key));
        Object value = Objects.requireNonNull(values.get(key));
        for (Object each : value instanceof Collection<?> list ? list : List.of(value)) {
            boolean holds = range.pattern().isEmpty() ? isWithin(key, range, each)
                    : String.valueOf(each).matches(range.pattern());
            if (!holds) {
                String expected = text(range.pattern().isEmpty() ? "" : range.unit(), range.min(), range.above(), range.max(),
                        range.below(),
                        limit -> values.containsKey(limit) ? text(limit, values.get(limit)) + " (" + limit + ")" : limit);
                throw new InvalidInputException(Reason.INVALID_SETTING, key,
                        "expected " + expected + ", found " + text(key, each));
            }
        }
    }

    private boolean isWithin(String key, SettingRange range, Object value) {
        if (value instanceof Double ratio && !Double.isFinite(ratio)) {
            return false;
        }
        BigDecimal number = number(key, value);
        return (range.min().isEmpty() || number.compareTo(limit(range.min(), value)) >= 0)
                && (range.above().isEmpty() || number.compareTo(limit(range.above(), value)) > 0)
                && (range.max().isEmpty() || number.compareTo(limit(range.max(), value)) <= 0)
                && (range.below().isEmpty() || number.compareTo(limit(range.below(), value)) < 0);
    }

    /** Returns a limit in the unit of the value. */
    private BigDecimal limit(String limit, Object value) {
        if (values.containsKey(limit)) {
            return number(limit, Objects.requireNonNull(values.get(limit)));
        }
        return value instanceof Duration ? seconds(config.requireConverter(Duration.class).convert(limit)) : size(limit);
    }

    private BigDecimal number(String key, Object value) {
        if (value instanceof Duration duration) {
            return seconds(duration);
        }
        return size(value instanceof Number ? value.toString() : config.getConfigValue(key).getValue());
    }

    private static BigDecimal seconds(Duration duration) {
        return BigDecimal.valueOf(duration.getSeconds()).add(BigDecimal.valueOf(duration.getNano(), NANO_DIGITS));
    }

    /** Parses a number, or a size in bytes with a suffix such as {@code K} or {@code M}. */
    private static BigDecimal size(String text) {
        int power = SIZES.indexOf(Character.toUpperCase(text.charAt(text.length() - 1))) + 1;
        return power == 0 ? new BigDecimal(text)
                : new BigDecimal(text.substring(0, text.length() - 1)).multiply(BigDecimal.valueOf(KIBI).pow(power));
    }

    /** Formats a value as in the configuration. */
    private String text(String key, Object value) {
        if (value instanceof Duration duration) {
            return Durations.text(duration);
        }
        return value instanceof Number || value instanceof CharSequence ? value.toString()
                : config.getConfigValue(key).getValue();
    }

    /**
     * Describes a range in words.
     *
     * @param limit formats a limit, which may be the key of another setting
     */
    public static String text(String unit, String min, String above, String max, String below, UnaryOperator<String> limit) {
        String lower = !min.isEmpty() ? limit.apply(min) + (max.isEmpty() ? " or more" : " to " + limit.apply(max))
                : !above.isEmpty() ? "more than " + limit.apply(above) : "";
        String upper = !max.isEmpty() && min.isEmpty() ? "at most " + limit.apply(max)
                : !below.isEmpty() ? "less than " + limit.apply(below) : "";
        return Stream.of(unit, lower, upper).filter(words -> !words.isEmpty()).collect(Collectors.joining(", "));
    }
}
