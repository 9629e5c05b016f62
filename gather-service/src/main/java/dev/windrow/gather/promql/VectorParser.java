package dev.windrow.gather.promql;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

import dev.windrow.gather.promql.Expression.Aggregation;
import dev.windrow.gather.promql.Expression.Literal;
import dev.windrow.gather.promql.Expression.Selection;
import dev.windrow.gather.promql.Expression.TopK;

/** Parses what gives a vector by itself: selectors, functions of ranges, and aggregations. */
final class VectorParser {

    static final String FUNCTIONS = RangeFunction.words();
    static final String AGGREGATIONS = "sum, min, max, topk";

    private final Tokens tokens;
    private final Supplier<Expression> expression;

    /** @param expression parses the arguments of aggregations */
    VectorParser(Tokens tokens, Supplier<Expression> expression) {
        this.tokens = tokens;
        this.expression = expression;
    }

    /** Whether a call follows, rather than a selector. */
    boolean isCall() {
        Token second = tokens.peekSecond();
        return second.is("(") || second.isKeyword("by") || second.isKeyword("without");
    }

    /** A function of a range, or an aggregation. */
    Expression call() {
        Token name = tokens.take();
        Optional<RangeFunction> function = RangeFunction.of(name.text());
        // Functions are written as they are, aggregations in any case.
        return switch (name.text().toLowerCase(Locale.ROOT)) {
            case "sum" -> aggregation(Aggregation.Operator.SUM);
            case "min" -> aggregation(Aggregation.Operator.MIN);
            case "max" -> aggregation(Aggregation.Operator.MAX);
            case "topk" -> topK();
            default -> over(function.orElseThrow(() -> PromQl.unsupported(name.text(),
                    "functions are " + FUNCTIONS + "; aggregations are " + AGGREGATIONS)));
        };
    }

    private Expression over(RangeFunction function) {
        tokens.expect("(");
        Selector selector = new SelectorParser(tokens).selector();
        String range = tokens.expect(Token.Kind.RANGE, "a range such as [5m] for " + function.word());
        if (range.contains(":")) {
            throw PromQl.unsupported("the subquery [" + range + "]", "expected a range such as [5m]");
        }
        Duration window = PromDuration.parse(range.strip())
                .orElseThrow(() -> PromQl.invalid("expected a range such as [5m] or [1h30m] for " + function.word()));
        if (tokens.peek().is("@") || tokens.peek().isKeyword("offset")) {
            throw PromQl.unsupported(tokens.peek().text(), "ranges end at the evaluation time");
        }
        tokens.expect(")");
        return new Selection(selector, function, window, Optional.empty());
    }

    /** A selector without a function. */
    Expression selection() {
        Selector selector = new SelectorParser(tokens).selector();
        if (tokens.peek().kind() == Token.Kind.RANGE) {
            throw PromQl.unsupported("a range by itself", "use it with " + FUNCTIONS);
        }
        return new Selection(selector, RangeFunction.ALL_TIME, Duration.ZERO, Optional.empty());
    }

    private Expression aggregation(Aggregation.Operator operator) {
        Set<String> before = by();
        tokens.expect("(");
        Expression of = vector();
        Set<String> by = by(before);
        // Summed while reading: only the remaining labels take memory, and floors are applied to their sums.
        return operator == Aggregation.Operator.SUM && of instanceof Selection each && each.sumBy().isEmpty()
                ? new Selection(each.selector(), each.function(), each.window(), Optional.of(by))
                : new Aggregation(operator, by, of);
    }

    private Expression topK() {
        Set<String> before = by();
        tokens.expect("(");
        Expression count = expression.get();
        tokens.expect(",");
        Expression of = vector();
        Set<String> by = by(before);
        if (!(count instanceof Literal number)) {
            throw PromQl.invalid("expected a number as the first argument of topk");
        }
        if (!(number.number() instanceof BigDecimal finite)) {
            throw PromQl.invalid("expected a finite number as the first argument of topk");
        }
        int limit = finite.max(BigDecimal.ZERO).min(BigDecimal.valueOf(Integer.MAX_VALUE)).intValue();
        return new TopK(limit, by, of);
    }

    private Expression vector() {
        Expression of = expression.get();
        tokens.expect(")");
        if (of.isScalar()) {
            throw PromQl.invalid("expected a vector to aggregate, found a number");
        }
        return of;
    }

    /** The labels of {@code by} after the parentheses, or else of that before them. */
    private Set<String> by(Set<String> before) {
        return tokens.peek().isKeyword("by") || tokens.peek().isKeyword("without") ? by() : before;
    }

    private Set<String> by() {
        if (tokens.peek().isKeyword("without")) {
            throw PromQl.unsupported("without", "name the labels to keep with by");
        }
        Set<String> labels = new TreeSet<>();
        if (tokens.peek().isKeyword("by")) {
            tokens.take();
            tokens.expect("(");
            while (!tokens.takeIf(")")) {
                labels.add(tokens.expect(Token.Kind.IDENTIFIER, "the name of a label"));
                if (!tokens.peek().is(")")) {
                    tokens.expect(",");
                }
            }
        }
        return labels;
    }
}
