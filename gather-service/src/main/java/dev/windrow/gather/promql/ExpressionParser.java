package dev.windrow.gather.promql;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

import dev.windrow.gather.promql.Expression.Aggregation;
import dev.windrow.gather.promql.Expression.Arithmetic;
import dev.windrow.gather.promql.Expression.Literal;
import dev.windrow.gather.promql.Expression.Selection;
import dev.windrow.gather.promql.Expression.TopK;

/** Reads the expressions of the subset; what is PromQL but outside of it is named in the error. */
public final class ExpressionParser {

    /** Each node may nest the others, which takes stack to parse, and copies every sample to evaluate. */
    private static final int MAX_NODES = 100;
    private static final List<ArithmeticOperator> SUMS = List.of(ArithmeticOperator.ADD, ArithmeticOperator.SUBTRACT);
    private static final List<ArithmeticOperator> PRODUCTS = List.of(ArithmeticOperator.MULTIPLY, ArithmeticOperator.DIVIDE,
            ArithmeticOperator.REMAINDER);
    private static final String AGGREGATIONS = "sum, min, max, topk";
    private static final String NO_VECTORS = "one operand must be a number";

    private final Tokens tokens;
    private int nodes;

    private ExpressionParser(String query) {
        this.tokens = new Tokens(query);
    }

    /** @throws dev.windrow.reason.InvalidInputException if a query is malformed, or not supported */
    public static Expression parse(String query) {
        ExpressionParser parser = new ExpressionParser(query);
        Expression expression = parser.expression();
        Token rest = parser.tokens.peek();
        if (rest.kind() == Token.Kind.IDENTIFIER || rest.kind() == Token.Kind.RANGE || isOtherOperator(rest)) {
            throw PromQl.unsupported(rest.kind() == Token.Kind.RANGE ? "a range here" : rest.text(),
                    "expressions are selectors, " + RangeFunction.words() + ", " + AGGREGATIONS + ", and + - * / %");
        }
        if (rest.kind() != Token.Kind.END) {
            throw PromQl.malformed("an operator or the end", rest);
        }
        return expression;
    }

    private static boolean isOtherOperator(Token token) {
        return List.of("^", "==", "!=", "<", ">", "<=", ">=", "@").stream().anyMatch(token::is);
    }

    private Expression expression() {
        return operands(SUMS, () -> operands(PRODUCTS, this::signed));
    }

    /** Counts an operator, a minus sign, a call or a pair of parentheses. */
    private void node() {
        if (++nodes > MAX_NODES) {
            throw PromQl.invalid("expected at most " + MAX_NODES + " operators, calls and parentheses");
        }
    }

    private interface Operand {
        Expression next();
    }

    private static Optional<ArithmeticOperator> operator(List<ArithmeticOperator> operators, Token token) {
        return operators.stream().filter(operator -> operator.is(token)).findFirst();
    }

    private Expression operands(List<ArithmeticOperator> operators, Operand operand) {
        Expression left = operand.next();
        Optional<ArithmeticOperator> operator = operator(operators, tokens.peek());
        while (operator.isPresent()) {
            tokens.take();
            node();
            left = arithmetic(operator.get(), left, operand.next());
            operator = operator(operators, tokens.peek());
        }
        return left;
    }

    private static Expression arithmetic(ArithmeticOperator operator, Expression left, Expression right) {
        if (!left.isScalar() && !right.isScalar()) {
            throw PromQl.unsupported("arithmetic between two vectors", NO_VECTORS);
        }
        boolean divides = operator == ArithmeticOperator.DIVIDE || operator == ArithmeticOperator.REMAINDER;
        if (divides && !right.isScalar()) {
            throw PromQl.unsupported("division by a vector", "the divisor must be a number");
        }
        if (left instanceof Literal a && right instanceof Literal b) {
            return new Literal(operator.apply(a.number(), b.number()));
        }
        return new Arithmetic(operator, left, right);
    }

    private Expression signed() {
        boolean negative = false;
        while (tokens.peek().is("-") || tokens.peek().is("+")) {
            negative ^= tokens.take().is("-");
        }
        if (negative) {
            node();
        }
        Expression operand = primary();
        return negative ? arithmetic(ArithmeticOperator.MULTIPLY, new Literal(BigDecimal.ONE.negate()), operand) : operand;
    }

    private Expression primary() {
        Token next = tokens.peek();
        if (tokens.takeIf("(")) {
            node();
            Expression inner = expression();
            tokens.expect(")");
            return inner;
        }
        return switch (next.kind()) {
            case NUMBER -> new Literal(number(tokens.take()));
            case IDENTIFIER -> isCall() ? call(tokens.take()) : selection();
            case SYMBOL -> selection();
            case STRING -> throw PromQl.unsupported("a string as an expression", "expected a number or a vector");
            case RANGE, END -> throw PromQl.malformed("an expression", next);
        };
    }

    private static BigDecimal number(Token token) {
        try {
            return ArithmeticOperator.bounded(new BigDecimal(token.text()));
        } catch (NumberFormatException e) {
            throw PromQl.malformed("a number of moderate size", token);
        }
    }

    private boolean isCall() {
        Token second = tokens.peekSecond();
        return second.is("(") || second.isIdentifier("by") || second.isIdentifier("without");
    }

    private Expression call(Token name) {
        node();
        Optional<RangeFunction> function = RangeFunction.of(name.text());
        return switch (name.text()) {
            case "sum" -> aggregation(Aggregation.Operator.SUM);
            case "min" -> aggregation(Aggregation.Operator.MIN);
            case "max" -> aggregation(Aggregation.Operator.MAX);
            case "topk" -> topK();
            default -> over(function.orElseThrow(() -> PromQl.unsupported(name.text(),
                    "functions are " + RangeFunction.words() + "; aggregations are " + AGGREGATIONS)));
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
        if (tokens.peek().is("@") || tokens.peek().isIdentifier("offset")) {
            throw PromQl.unsupported(tokens.peek().text(), "ranges end at the evaluation time");
        }
        tokens.expect(")");
        return new Selection(selector, function, window, Optional.empty());
    }

    private Expression selection() {
        Selector selector = new SelectorParser(tokens).selector();
        if (tokens.peek().kind() == Token.Kind.RANGE) {
            throw PromQl.unsupported("a range by itself", "use it with " + RangeFunction.words());
        }
        return new Selection(selector, RangeFunction.ALL_TIME, Duration.ZERO, Optional.empty());
    }

    private Expression aggregation(Aggregation.Operator operator) {
        Set<String> before = by();
        tokens.expect("(");
        Expression of = vector();
        Set<String> by = by(before);
        // Added up where it is read: that takes no more labels than are left, and any floor is applied to the sum.
        return operator == Aggregation.Operator.SUM && of instanceof Selection each && each.sumBy().isEmpty()
                ? new Selection(each.selector(), each.function(), each.window(), Optional.of(by))
                : new Aggregation(operator, by, of);
    }

    private Expression topK() {
        Set<String> before = by();
        tokens.expect("(");
        Expression count = expression();
        tokens.expect(",");
        Expression of = vector();
        Set<String> by = by(before);
        if (!(count instanceof Literal number)) {
            throw PromQl.invalid("expected a number as the first argument of topk");
        }
        int most = number.number().max(BigDecimal.ZERO).min(BigDecimal.valueOf(Integer.MAX_VALUE)).intValue();
        return new TopK(most, by, of);
    }

    private Expression vector() {
        Expression of = expression();
        tokens.expect(")");
        if (of.isScalar()) {
            throw PromQl.invalid("expected a vector to aggregate, found a number");
        }
        return of;
    }

    /** The labels of {@code by} behind the parentheses, or else those before. */
    private Set<String> by(Set<String> before) {
        return tokens.peek().isIdentifier("by") || tokens.peek().isIdentifier("without") ? by() : before;
    }

    private Set<String> by() {
        if (tokens.peek().isIdentifier("without")) {
            throw PromQl.unsupported("without", "name the labels that are left with by");
        }
        Set<String> labels = new TreeSet<>();
        if (tokens.peek().isIdentifier("by")) {
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
