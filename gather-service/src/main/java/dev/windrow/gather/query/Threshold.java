package dev.windrow.gather.query;

import java.math.BigDecimal;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import dev.windrow.dataset.Measure;

/**
 * What a group must have to be listed.
 *
 * @param measure of what
 * @param atLeast how much, inclusive
 */
public record Threshold(Measure measure, BigDecimal atLeast) {

    /** A measure and a number of no more digits than DynamoDB keeps, in plain form. */
    private static final Pattern FORM = Pattern.compile("(.+):(-?[0-9]{1,38}(?:\\.[0-9]{1,38})?)");

    static Optional<Threshold> of(DatasetScope scope, Parameters parameters) {
        String measures = scope.dataset().measures().stream().map(Measure::name).collect(Collectors.joining(", "));
        return parameters.parsed(QueryParameter.LEAST, text -> {
            Matcher form = FORM.matcher(text);
            return form.matches()
                    ? scope.dataset().measure(form.group(1)).map(of -> new Threshold(of, new BigDecimal(form.group(2))))
                    : Optional.empty();
        }, "one of " + measures + ", a colon and a plain number, such as events:10");
    }
}
