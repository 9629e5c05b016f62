package dev.windrow.gather.parameter;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import dev.windrow.base.Sanitized;

/** The parameters of one request: known to its operation, and each given once unless it may repeat. */
public record Parameters(QueryKind operation, Map<QueryParameter, List<String>> values) {

    /** At most 9 digits, which always fit into an {@code int}. */
    private static final Pattern DIGITS = Pattern.compile("[0-9]{1,9}");

    /**
     * Checks names and repetition.
     *
     * @param raw values by name, in the order given
     * @throws InvalidInputException with {@link Reason#UNKNOWN_PARAMETER}, {@link Reason#INVALID_PARAMETER} or
     *         {@link Reason#WRONG_FIELD_TYPE}
     */
    public static Parameters of(QueryKind operation, Map<String, List<String>> raw) {
        Map<QueryParameter, List<String>> values = new EnumMap<>(QueryParameter.class);
        raw.forEach((name, given) -> {
            QueryParameter parameter = operation.parameters().stream().filter(known -> known.word().equals(name))
                    .findFirst().orElseThrow(() -> unknown(operation, name));
            if (given.size() > 1 && !parameter.type().equals("array")) {
                throw invalid(parameter, "expected one value, found " + given.size());
            }
            if (given.isEmpty() && !parameter.type().equals("array")) {
                throw new InvalidInputException(Reason.WRONG_FIELD_TYPE, parameter.word(), "expected a value, found none");
            }
            if (!given.isEmpty()) {
                values.put(parameter, List.copyOf(given));
            }
        });
        return new Parameters(operation, values);
    }

    private static InvalidInputException unknown(QueryKind operation, String name) {
        String known = operation.parameters().stream().map(QueryParameter::word).collect(Collectors.joining(", "));
        boolean movers = operation == QueryKind.COMPARE && name.equals(QueryParameter.GROUP_BY.word());
        return new InvalidInputException(Reason.UNKNOWN_PARAMETER, Sanitized.line(name), "expected one of " + known
                + (movers ? "; to compare group by group, use top with against" : ""));
    }

    public boolean has(QueryParameter parameter) {
        return values.containsKey(parameter);
    }

    public Optional<String> text(QueryParameter parameter) {
        return Optional.ofNullable(values.get(parameter)).map(all -> all.get(0));
    }

    /** All values in the order given; none if absent. */
    public List<String> texts(QueryParameter parameter) {
        return values.getOrDefault(parameter, List.of());
    }

    public boolean flag(QueryParameter parameter, boolean absent) {
        return parsed(parameter, text -> switch (text) {
            case "true" -> Optional.of(true);
            case "false" -> Optional.of(false);
            default -> Optional.empty();
        }, "true or false").orElse(absent);
    }

    /** A whole number within inclusive bounds. */
    public int integer(QueryParameter parameter, int min, int max, int absent) {
        return parsed(parameter, text -> wholeNumber(text).filter(number -> number >= min && number <= max),
                "a whole number from " + min + " to " + max).orElse(absent);
    }

    /** Parses ASCII digits only: {@code Integer.parseInt} also accepts signs and the digits of other scripts. */
    public static Optional<Integer> wholeNumber(String text) {
        return DIGITS.matcher(text).matches() ? Optional.of(Integer.parseInt(text)) : Optional.empty();
    }

    /** One of an enum's constants, by its {@link #word}. */
    public <E extends Enum<E>> Optional<E> choice(QueryParameter parameter, E[] choices) {
        String words = Arrays.stream(choices).map(Parameters::word).collect(Collectors.joining(", "));
        return parsed(parameter, text -> Arrays.stream(choices).filter(choice -> word(choice).equals(text)).findFirst(),
                "one of " + words);
    }

    /** How requests name an enum's constant, such as {@code hour-of-day}. */
    public static String word(Enum<?> choice) {
        return choice.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * A value as parsed by a function.
     *
     * @throws InvalidInputException with {@link Reason#INVALID_PARAMETER} if the parser returns empty
     */
    public <T> Optional<T> parsed(QueryParameter parameter, Function<String, Optional<T>> parser, String expected) {
        return text(parameter).map(text -> parser.apply(text)
                .orElseThrow(() -> invalid(parameter, "expected " + expected + ", found " + Sanitized.of(text))));
    }

    /** The first of these that was given; the last if none was. */
    public QueryParameter firstOf(QueryParameter... candidates) {
        return Arrays.stream(candidates).filter(values::containsKey).findFirst().orElse(candidates[candidates.length - 1]);
    }

    /**
     * The given parameters as one text, equal for equal values, in any order where that means nothing. Cursors are bound to it.
     */
    public String identity(List<QueryParameter> bound) {
        return bound.stream().map(parameter -> parameter.word() + inOrder(parameter)
                .map(value -> value.length() + ":" + value).toList()).collect(Collectors.joining(";"));
    }

    private Stream<String> inOrder(QueryParameter parameter) {
        boolean isSet = parameter == QueryParameter.WHERE || parameter == QueryParameter.LABELS;
        return isSet ? texts(parameter).stream().distinct().sorted() : texts(parameter).stream();
    }

    public static InvalidInputException invalid(QueryParameter parameter, String expectation) {
        return new InvalidInputException(Reason.INVALID_PARAMETER, parameter.word(), expectation);
    }

    public static InvalidInputException missing(QueryParameter parameter, String expectation) {
        return new InvalidInputException(Reason.MISSING_PARAMETER, parameter.word(), expectation);
    }

}
