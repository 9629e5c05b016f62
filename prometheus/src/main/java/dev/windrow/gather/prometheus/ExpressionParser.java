package dev.windrow.gather.prometheus;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

import dev.windrow.gather.prometheus.Expression.Absent;
import dev.windrow.gather.prometheus.Expression.Aggregation;
import dev.windrow.gather.prometheus.Expression.Constant;
import dev.windrow.gather.prometheus.Expression.LabelMatcher;
import dev.windrow.gather.prometheus.Expression.Literal;
import dev.windrow.gather.prometheus.Expression.Operation;
import dev.windrow.gather.prometheus.Expression.Operator;
import dev.windrow.gather.prometheus.Expression.RangeFunction;
import dev.windrow.gather.prometheus.Expression.Selection;
import dev.windrow.gather.prometheus.Expression.Selector;
import dev.windrow.gather.prometheus.Expression.TopK;
import dev.windrow.gather.prometheus.Expression.Union;
import dev.windrow.gather.prometheus.PromQl.Token;

/** Parses the expressions of the subset; errors name the parts of PromQL that are outside of it. */
final class ExpressionParser {

    /** Nodes may nest, which takes stack to parse, and each copies every sample when evaluated. */
    private static final int MAX_NODES = 100;
    /** Operators from lowest to highest precedence; all are left-associative. */
    private static final List<List<Operator>> PRECEDENCE = List.of(
            Arrays.stream(Operator.values()).filter(Operator::isComparison).toList(),
            List.of(Operator.ADD, Operator.SUBTRACT), List.of(Operator.MULTIPLY, Operator.DIVIDE, Operator.REMAINDER));
    private static final List<String> MODIFIERS = List.of("on", "ignoring", "group_left", "group_right");
    private static final String FUNCTIONS = RangeFunction.words() + ", absent, vector";
    private static final String AGGREGATIONS = "sum, min, max, avg, count, topk";
    /** Each is compared with the label of every bucket that is read. */
    private static final int MAX_MATCHERS = 100;
    private static final int MAX_ALTERNATIVES = 1_000;
    private static final String ANY_CASE = "(?i)";

    private final Tokens tokens;
    private int nodes;

    private ExpressionParser(String query) {
        this.tokens = new Tokens(query);
    }

    /** @throws dev.windrow.base.InvalidInputException if a query is malformed, or not supported */
    public static Expression parse(String query) {
        ExpressionParser parser = new ExpressionParser(query);
        Expression expression = parser.expression();
        Token rest = parser.tokens.peek();
        if (rest.isKeyword("offset")) {
            throw PromQl.invalid("`offset` is allowed once, right after a selector or its range");
        }
        if (rest.kind() == Token.Kind.IDENTIFIER || rest.kind() == Token.Kind.RANGE || rest.is("^") || rest.is("@")) {
            throw PromQl.unsupported(rest.kind() == Token.Kind.RANGE ? "a range here" : rest.text(),
                    "expressions are selectors, " + FUNCTIONS + ", " + AGGREGATIONS
                            + ", + - * / %, == != < > <= >= and or");
        }
        if (rest.kind() != Token.Kind.END) {
            throw PromQl.malformed("an operator or the end", rest);
        }
        return expression;
    }

    /**
     * Parses a selector by itself.
     *
     * @throws dev.windrow.base.InvalidInputException if the text is anything else, or not supported
     */
    public static Selector parseSelector(String text) {
        ExpressionParser parser = new ExpressionParser(text);
        Selector selector = parser.selector();
        if (parser.tokens.peek().kind() != Token.Kind.END) {
            throw PromQl.malformed("nothing after the selector", parser.tokens.peek());
        }
        return selector;
    }

    private Expression expression() {
        Expression left = operands(0);
        while (tokens.peek().isKeyword("or")) {
            tokens.take();
            node();
            refuseModifiers();
            Expression right = operands(0);
            if (left.isScalar() || right.isScalar()) {
                throw PromQl.invalid("expected a vector on both sides of or, found a number: write vector(0) for 0");
            }
            left = new Union(left, right);
        }
        return left;
    }

    private void refuseModifiers() {
        MODIFIERS.stream().filter(tokens.peek()::isKeyword).findFirst().ifPresent(modifier -> {
            throw PromQl.unsupported(modifier, "series are matched by all of their labels");
        });
    }

    /** Counts an operator, a minus sign, a call or a pair of parentheses. */
    private void node() {
        if (++nodes > MAX_NODES) {
            throw PromQl.invalid("expected at most " + MAX_NODES + " operators, calls and parentheses");
        }
    }

    private Expression operands(int precedence) {
        if (precedence == PRECEDENCE.size()) {
            return signed();
        }
        Expression left = operands(precedence + 1);
        for (Optional<Operator> operator = next(precedence); operator.isPresent(); operator = next(precedence)) {
            tokens.take();
            node();
            boolean bool = tokens.peek().isKeyword("bool");
            if (bool) {
                tokens.take();
            }
            if (bool && !operator.get().isComparison()) {
                throw PromQl.invalid("bool is only for comparisons, found it after " + operator.get().symbol());
            }
            refuseModifiers();
            left = operation(operator.get(), bool, left, operands(precedence + 1));
        }
        return left;
    }

    private Optional<Operator> next(int precedence) {
        return PRECEDENCE.get(precedence).stream().filter(operator -> tokens.peek().is(operator.symbol())).findFirst();
    }

    private static Expression operation(Operator operator, boolean bool, Expression left, Expression right) {
        if (!(left instanceof Literal a && right instanceof Literal b)) {
            return new Operation(operator, bool, left, right);
        }
        if (operator.isComparison() && !bool) {
            throw PromQl.invalid("comparisons of two numbers need bool, as in 1 < bool 2");
        }
        return new Literal(bool ? operator.truth(a.number(), b.number()) : operator.apply(a.number(), b.number()));
    }

    private Expression signed() {
        int minuses = 0;
        while (tokens.peek().is("-") || tokens.peek().is("+")) {
            minuses += tokens.take().is("-") ? 1 : 0;
        }
        if (minuses == 0) {
            return primary();
        }
        node();
        // An even number keeps the values, but no series keeps its name.
        BigDecimal factor = minuses % 2 == 0 ? BigDecimal.ONE : BigDecimal.ONE.negate();
        return operation(Operator.MULTIPLY, false, new Literal(factor), primary());
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
                Token second = tokens.peekSecond();
                if (second.is("(") || second.isKeyword("by") || second.isKeyword("without")) {
                    node();
                    yield call();
                }
                yield selection();
            }
            case SYMBOL -> selection();
            case STRING -> throw PromQl.unsupported("a string as an expression", "expected a number or a vector");
            case BLANK, RANGE, DURATION, END -> throw PromQl.malformed("an expression", next);
        };
    }

    private static BigDecimal number(Token token) {
        try {
            return Operator.literal(new BigDecimal(token.text()));
        } catch (NumberFormatException e) {
            throw PromQl.malformed("a number " + Operator.RANGE, token);
        }
    }

    /** Parses a function of a range, or an aggregation. */
    private Expression call() {
        Token name = tokens.take();
        if (name.text().equals("absent")) {
            return absent();
        }
        if (name.text().equals("vector")) {
            return constant();
        }
        Optional<RangeFunction> function = RangeFunction.of(name.text());
        // Functions are case-sensitive, aggregations are not.
        String word = name.text().toUpperCase(Locale.ROOT);
        Optional<Aggregation.Operator> aggregation = Arrays.stream(Aggregation.Operator.values())
                .filter(operator -> operator.name().equals(word)).findFirst();
        if (aggregation.isPresent()) {
            return aggregation(aggregation.get());
        }
        return word.equals("TOPK") ? topK()
                : over(function.orElseThrow(() -> PromQl.unsupported(name.text(),
                        "functions are " + FUNCTIONS + "; aggregations are " + AGGREGATIONS)));
    }

    private Expression over(RangeFunction function) {
        tokens.expect("(");
        Selector selector = selector();
        String range = tokens.expect(Token.Kind.RANGE, "a range such as [5m] for " + function.word());
        if (range.contains(":")) {
            throw PromQl.unsupported("the subquery [" + range + "]", "expected a range such as [5m]");
        }
        Duration window = PromQl.duration(range.strip())
                .orElseThrow(() -> PromQl.invalid("expected a range such as [5m] or [1h30m] for " + function.word()));
        Duration offset = offset();
        tokens.expect(")");
        return new Selection(selector, function, window, offset, Optional.empty());
    }

    /** Parses how much earlier than the evaluation time; negative for later. */
    private Duration offset() {
        Duration offset = Duration.ZERO;
        if (tokens.peek().isKeyword("offset")) {
            tokens.take();
            boolean later = tokens.takeIf("-");
            Token token = tokens.peek();
            Duration length = PromQl.duration(tokens.expect(Token.Kind.DURATION, "a duration such as 5m after offset"))
                    .orElseThrow(() -> PromQl.malformed("a duration such as 5m or 1h30m after offset", token));
            offset = later ? length.negated() : length;
        }
        if (tokens.peek().is("@")) {
            throw PromQl.unsupported("@", "move the evaluation time with offset");
        }
        return offset;
    }

    private Expression absent() {
        tokens.expect("(");
        Token first = tokens.peek();
        Expression of = vector("for absent");
        // As in Prometheus, only a bare selector says which labels the absent series would have.
        boolean bare = first.kind() == Token.Kind.IDENTIFIER || first.is("{");
        return new Absent(bare && of instanceof Selection selection && selection.isPlain()
                ? selection.selector().equalities()
                : new TreeMap<>(), of);
    }

    private Expression constant() {
        tokens.expect("(");
        Expression number = expression();
        tokens.expect(")");
        if (!(number instanceof Literal literal)) {
            throw PromQl.invalid("expected a number as the argument of vector");
        }
        return new Constant(literal.number());
    }

    private Expression selection() {
        Selector selector = selector();
        if (tokens.peek().kind() == Token.Kind.RANGE) {
            throw PromQl.unsupported("a range by itself", "use it with " + FUNCTIONS);
        }
        return new Selection(selector, RangeFunction.ALL_TIME, Duration.ZERO, offset(), Optional.empty());
    }

    private Expression aggregation(Aggregation.Operator operator) {
        Set<String> before = by();
        tokens.expect("(");
        Expression of = vector("to aggregate");
        Set<String> by = by(before);
        // Summed while reading: only the labels that are kept take memory, and floors are applied to their sums.
        return operator == Aggregation.Operator.SUM && of instanceof Selection each && each.sumBy().isEmpty()
                ? each.summedBy(Optional.of(by))
                : new Aggregation(operator, by, of);
    }

    private Expression topK() {
        Set<String> before = by();
        tokens.expect("(");
        Expression count = expression();
        tokens.expect(",");
        Expression of = vector("to aggregate");
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

    private Expression vector(String purpose) {
        Expression of = expression();
        tokens.expect(")");
        if (of.isScalar()) {
            throw PromQl.invalid("expected a vector " + purpose + ", found a number");
        }
        return of;
    }

    /** Returns the labels of {@code by} after the parentheses, or else of the one before them. */
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

    /** Parses a metric name, label matchers in braces, or both. */
    private Selector selector() {
        List<LabelMatcher> matchers = new ArrayList<>();
        if (tokens.peek().kind() == Token.Kind.IDENTIFIER) {
            matchers.add(LabelMatcher.equal(PromQl.NAME, tokens.take().text(), false));
        } else if (!tokens.peek().is("{")) {
            throw PromQl.malformed("a metric name or label matchers", tokens.peek());
        }
        if (tokens.takeIf("{")) {
            while (!tokens.takeIf("}")) {
                if (matchers.size() == MAX_MATCHERS) {
                    throw PromQl.invalid("expected at most " + MAX_MATCHERS + " matchers in a selector");
                }
                matchers.add(matcher());
                if (!tokens.peek().is("}")) {
                    tokens.expect(",");
                }
            }
        }
        return new Selector(matchers);
    }

    private LabelMatcher matcher() {
        String label = tokens.expect(Token.Kind.IDENTIFIER, "the name of a label");
        Token operator = tokens.take();
        if (Stream.of("=", "!=", "=~", "!~").noneMatch(operator::is)) {
            throw PromQl.malformed("=, !=, =~ or !~ after the label " + label, operator);
        }
        String value = tokens.expect(Token.Kind.STRING, "a value in quotes for the label " + label);
        boolean negative = operator.is("!=") || operator.is("!~");
        if (operator.is("=") || operator.is("!=")) {
            return LabelMatcher.equal(label, value, negative);
        }
        boolean anyCase = value.startsWith(ANY_CASE);
        List<ValuePattern> alternatives = ValuePattern
                .of(anyCase ? LabelMatcher.folded(value.substring(ANY_CASE.length())) : value);
        if (alternatives.size() > MAX_ALTERNATIVES) {
            throw PromQl.invalid("expected at most " + MAX_ALTERNATIVES + " alternatives for the label " + label
                    + ", found " + alternatives.size());
        }
        return LabelMatcher.of(label, negative, anyCase, alternatives);
    }
}
