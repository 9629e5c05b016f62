package dev.windrow.gather.top;

import java.math.BigDecimal;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.windrow.dataset.Column;
import dev.windrow.gather.parameter.Parameters;
import dev.windrow.gather.parameter.QueryParameter;
import dev.windrow.gather.plan.DatasetScope;

/**
 * The minimum for a group to be listed.
 *
 * @param atLeast its lowest value, inclusive
 */
record Threshold(Column column, BigDecimal atLeast) {

    /** A measure and a number in plain form, with no more digits than DynamoDB keeps. */
    private static final Pattern FORM = Pattern.compile("(.+):(-?[0-9]{1,38}(?:\\.[0-9]{1,38})?)");

    static Optional<Threshold> of(DatasetScope scope, Parameters parameters) {
        return parameters.parsed(QueryParameter.LEAST, text -> {
            Matcher form = FORM.matcher(text);
            return form.matches()
                    ? scope.named().column(form.group(1)).map(of -> new Threshold(of, new BigDecimal(form.group(2))))
                    : Optional.empty();
        }, "one of " + scope.columnNames() + ", a colon and a plain number, such as events:10");
    }
}
