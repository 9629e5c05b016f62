package dev.windrow.gather.promql;

import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;

import dev.windrow.gather.promql.Expression.Arithmetic;
import dev.windrow.gather.promql.Expression.Literal;

/** Parses the expressions of the subset; what is PromQL but outside of it is named in the error. */
public final class ExpressionParser {

    /** Each node may nest the others, which takes stack to parse, and copies every sample to evaluate. */
    private static final int MAX_NODES = 100;
    private static final List<ArithmeticOperator> SUMS = List.of(ArithmeticOperator.ADD, ArithmeticOperator.SUBTRACT);
    private static final List<ArithmeticOperator> PRODUCTS = List.of(ArithmeticOperator.MULTIPLY, ArithmeticOperator.DIVIDE,
            ArithmeticOperator.REMAINDER);
    private static final String NO_VECTORS = "one operand must be a number";

    private final Tokens tokens;
    private final VectorParser vectors;
    private int nodes;

    private ExpressionParser(String query) {
        this.tokens = new Tokens(query);
        this.vectors = new VectorParser(tokens, this::expression);
    }

    /** @throws dev.windrow.base.InvalidInputException if a query is malformed, or not supported */
    public static Expression parse(String query) {
        ExpressionParser parser = new ExpressionParser(query);
        Expression expression = parser.expression();
        Token rest = parser.tokens.peek();
        if (rest.kind() == Token.Kind.IDENTIFIER || rest.kind() == Token.Kind.RANGE || isOtherOperator(rest)) {
            throw PromQl.unsupported(rest.kind() == Token.Kind.RANGE ? "a range here" : rest.text(),
                    "expressions are selectors, " + VectorParser.FUNCTIONS + ", " + VectorParser.AGGREGATIONS
                            + ", and + - * / %");
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
        boolean signed = false;
        boolean negative = false;
        while (tokens.peek().is("-") || tokens.peek().is("+")) {
            boolean minus = tokens.take().is("-");
            signed |= minus;
            negative ^= minus;
        }
        if (!signed) {
            return primary();
        }
        node();
        // Two of them leave the values, but no series keeps its name.
        BigDecimal factor = negative ? BigDecimal.ONE.negate() : BigDecimal.ONE;
        return arithmetic(ArithmeticOperator.MULTIPLY, new Literal(factor), primary());
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
            case IDENTIFIER -> {
                if (next.isKeyword("NaN") || next.isKeyword("Inf")) {
                    yield new Literal(tokens.take().isKeyword("NaN") ? Double.NaN : Double.POSITIVE_INFINITY);
                }
                if (vectors.isCall()) {
                    node();
                    yield vectors.call();
                }
                yield vectors.selection();
            }
            case SYMBOL -> vectors.selection();
            case STRING -> throw PromQl.unsupported("a string as an expression", "expected a number or a vector");
            case RANGE, END -> throw PromQl.malformed("an expression", next);
        };
    }

    private static BigDecimal number(Token token) {
        try {
            return ArithmeticOperator.literal(new BigDecimal(token.text()));
        } catch (NumberFormatException e) {
            throw PromQl.malformed("a number " + ArithmeticOperator.RANGE, token);
        }
    }
}
