package dev.windrow.gather.promql;

import java.util.ArrayList;
import java.util.List;

/** Reads the regular expressions that are supported: values and prefixes, several with {@code |}. */
final class ValuePatterns {

    private static final String SPECIAL = ".*+?()[]{}^$|\\";
    private static final String SUPPORTED = "expected values and prefixes such as a|b, abc.* or abc.+, with special characters"
            + " escaped as in a\\\\.b";

    private final String expression;
    private final int end;
    private final List<ValuePattern> patterns = new ArrayList<>();
    private final StringBuilder text = new StringBuilder();
    private int position;

    private ValuePatterns(String expression, int begin, int end) {
        this.expression = expression;
        this.position = begin;
        this.end = end;
    }

    /** The patterns of a regular expression, one of which a value must match as a whole. */
    static List<ValuePattern> of(String expression) {
        boolean grouped = expression.length() > 1 && expression.startsWith("(") && expression.endsWith(")")
                && !expression.endsWith("\\)");
        return grouped
                ? new ValuePatterns(expression, 1, expression.length() - 1).read()
                : new ValuePatterns(expression, 0, expression.length()).read();
    }

    private List<ValuePattern> read() {
        while (position < end) {
            char next = expression.charAt(position);
            if (next == '|') {
                add(ValuePattern.Rest.NOTHING);
                position++;
            } else if (next == '.' && isRest()) {
                boolean something = expression.charAt(position + 1) == '+';
                add(something ? ValuePattern.Rest.SOMETHING : ValuePattern.Rest.ANYTHING);
                position += 2;
                if (position == end) {
                    return patterns;
                }
                position++;
            } else {
                literal(next);
            }
        }
        add(ValuePattern.Rest.NOTHING);
        return patterns;
    }

    private void literal(char next) {
        boolean escaped = next == '\\' && position + 1 < end && SPECIAL.indexOf(expression.charAt(position + 1)) >= 0;
        // A dash, a slash and the like may be escaped as well, but escaped letters are character classes.
        boolean needless = next == '\\' && position + 1 < end && !Character.isLetterOrDigit(expression.charAt(position + 1));
        if (escaped || needless) {
            text.append(expression.charAt(position + 1));
            position += 2;
        } else if (SPECIAL.indexOf(next) >= 0) {
            throw PromQl.unsupported("the regular expression " + expression, SUPPORTED);
        } else {
            text.append(next);
            position++;
        }
    }

    /** Whether {@code .*} or {@code .+} is here, at the end of a pattern. */
    private boolean isRest() {
        boolean repeated = position + 1 < end && "*+".indexOf(expression.charAt(position + 1)) >= 0;
        return repeated && (position + 2 == end || expression.charAt(position + 2) == '|');
    }

    private void add(ValuePattern.Rest rest) {
        patterns.add(new ValuePattern(text.toString(), rest));
        text.setLength(0);
    }
}
