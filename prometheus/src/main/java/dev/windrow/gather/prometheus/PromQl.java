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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import dev.windrow.base.Sanitized;
import dev.windrow.gather.prometheus.Expression.Absent;
import dev.windrow.gather.prometheus.Expression.Aggregation;
import dev.windrow.gather.prometheus.Expression.Arithmetic;
import dev.windrow.gather.prometheus.Expression.ArithmeticOperator;
import dev.windrow.gather.prometheus.Expression.Comparison;
import dev.windrow.gather.prometheus.Expression.ComparisonOperator;
import dev.windrow.gather.prometheus.Expression.LabelMatcher;
import dev.windrow.gather.prometheus.Expression.Literal;
import dev.windrow.gather.prometheus.Expression.RangeFunction;
import dev.windrow.gather.prometheus.Expression.Selection;
import dev.windrow.gather.prometheus.Expression.Selector;
import dev.windrow.gather.prometheus.Expression.TopK;

/** Errors of queries. */
final class PromQl {

    /** The label that holds a series' metric name. */
    static final String NAME = "__name__";

    private static final String FIELD = "query";

    private PromQl() {
    }

    /** The query is PromQL, but outside the subset. */
    static InvalidInputException unsupported(String what, String instead) {
        return new InvalidInputException(Reason.INVALID_PARAMETER, FIELD,
                Sanitized.line(what) + " is not supported: " + instead);
    }

    /** The query is not PromQL. */
    static InvalidInputException malformed(String expected, Token found) {
        return new InvalidInputException(Reason.INVALID_PARAMETER, FIELD,
                "expected " + expected + " at character " + (found.position() + 1) + ", found "
                        + (found.kind() == Token.Kind.END ? "the end" : Sanitized.of(found.text())));
    }

    static InvalidInputException invalid(String expectation) {
        return new InvalidInputException(Reason.INVALID_PARAMETER, FIELD, expectation);
    }

    /** Parses the expressions of the subset; what is PromQL but outside of it is named in the error. */
    static final class ExpressionParser {

        /** Each node may nest the others, which takes stack to parse, and copies every sample to evaluate. */
        private static final int MAX_NODES = 100;
        /** Operators from those that bind least to those that bind most; all of them from left to right. */
        private static final List<List<String>> PRECEDENCE = List.of(List.of("==", "!=", "<", ">", "<=", ">="),
                List.of("+", "-"), List.of("*", "/", "%"));
        private static final List<String> MODIFIERS = List.of("bool", "on", "ignoring", "group_left", "group_right");
        private static final String FUNCTIONS = RangeFunction.words() + ", absent";
        private static final String AGGREGATIONS = "sum, min, max, avg, count, topk";
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
                throw PromQl.invalid("expected offset once, right after a selector or its range");
            }
            if (rest.kind() == Token.Kind.IDENTIFIER || rest.kind() == Token.Kind.RANGE || rest.is("^") || rest.is("@")) {
                throw PromQl.unsupported(rest.kind() == Token.Kind.RANGE ? "a range here" : rest.text(),
                        "expressions are selectors, " + FUNCTIONS + ", " + AGGREGATIONS
                                + ", + - * / % and == != < > <= >=");
            }
            if (rest.kind() != Token.Kind.END) {
                throw PromQl.malformed("an operator or the end", rest);
            }
            return expression;
        }

        /**
         * A selector by itself.
         *
         * @throws dev.windrow.base.InvalidInputException if it is anything else, or not supported
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
            return operands(0);
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
            while (PRECEDENCE.get(precedence).stream().anyMatch(tokens.peek()::is)) {
                Token operator = tokens.take();
                node();
                MODIFIERS.stream().filter(tokens.peek()::isKeyword).findFirst().ifPresent(modifier -> {
                    throw PromQl.unsupported(modifier, "series are matched by all of their labels, and comparisons filter");
                });
                Expression right = operands(precedence + 1);
                Expression leftOperand = left;
                left = ArithmeticOperator.of(operator).map(arithmetic -> arithmetic(arithmetic, leftOperand, right))
                        .orElseGet(() -> comparison(ComparisonOperator.of(operator).orElseThrow(), leftOperand, right));
            }
            return left;
        }

        private static Expression arithmetic(ArithmeticOperator operator, Expression left, Expression right) {
            return left instanceof Literal a && right instanceof Literal b
                    ? new Literal(operator.apply(a.number(), b.number()))
                    : new Arithmetic(operator, left, right);
        }

        private static Expression comparison(ComparisonOperator operator, Expression left, Expression right) {
            if (left.isScalar() && right.isScalar()) {
                throw PromQl.unsupported("a comparison of two numbers", "one operand must be a vector, which it filters");
            }
            return new Comparison(operator, left, right);
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
                    if (isCall()) {
                        node();
                        yield call();
                    }
                    yield selection();
                }
                case SYMBOL -> selection();
                case STRING -> throw PromQl.unsupported("a string as an expression", "expected a number or a vector");
                case RANGE, DURATION, END -> throw PromQl.malformed("an expression", next);
            };
        }

        private static BigDecimal number(Token token) {
            try {
                return ArithmeticOperator.literal(new BigDecimal(token.text()));
            } catch (NumberFormatException e) {
                throw PromQl.malformed("a number " + ArithmeticOperator.RANGE, token);
            }
        }

        /** Whether a call follows, rather than a selector. */
        private boolean isCall() {
            Token second = tokens.peekSecond();
            return second.is("(") || second.isKeyword("by") || second.isKeyword("without");
        }

        /** A function of a range, or an aggregation. */
        private Expression call() {
            Token name = tokens.take();
            if (name.text().equals("absent")) {
                return absent();
            }
            Optional<RangeFunction> function = RangeFunction.of(name.text());
            // Functions are written as they are, aggregations in any case.
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
            Duration window = PromDuration.parse(range.strip())
                    .orElseThrow(() -> PromQl.invalid("expected a range such as [5m] or [1h30m] for " + function.word()));
            Duration offset = offset();
            tokens.expect(")");
            return new Selection(selector, function, window, offset, Optional.empty());
        }

        /** How much earlier than the evaluation time; negative for later. */
        private Duration offset() {
            Duration offset = Duration.ZERO;
            if (tokens.peek().isKeyword("offset")) {
                tokens.take();
                boolean later = tokens.takeIf("-");
                Token token = tokens.peek();
                Duration length = PromDuration.parse(tokens.expect(Token.Kind.DURATION, "a duration such as 5m after offset"))
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
            Expression of = expression();
            tokens.expect(")");
            if (of.isScalar()) {
                throw PromQl.invalid("expected a vector for absent, found a number");
            }
            // As in Prometheus: only a selector by itself says which labels the absent series would have.
            boolean bare = first.kind() == Token.Kind.IDENTIFIER || first.is("{");
            return new Absent(bare && of instanceof Selection selection && selection.isPlain()
                    ? selection.selector().equalities()
                    : new TreeMap<>(), of);
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
            Expression of = vector();
            Set<String> by = by(before);
            // Summed while reading: only the remaining labels take memory, and floors are applied to their sums.
            return operator == Aggregation.Operator.SUM && of instanceof Selection each && each.sumBy().isEmpty()
                    ? each.summedBy(Optional.of(by))
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
            if (!(number.number() instanceof BigDecimal finite)) {
                throw PromQl.invalid("expected a finite number as the first argument of topk");
            }
            int limit = finite.max(BigDecimal.ZERO).min(BigDecimal.valueOf(Integer.MAX_VALUE)).intValue();
            return new TopK(limit, by, of);
        }

        private Expression vector() {
            Expression of = expression();
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

        /** A metric name, label matchers in braces, or both. */
        private Selector selector() {
            List<LabelMatcher> matchers = new ArrayList<>();
            if (tokens.peek().kind() == Token.Kind.IDENTIFIER) {
                matchers.add(LabelMatcher.equal(PromQl.NAME, tokens.take().text(), false));
            } else if (!tokens.peek().is("{")) {
                throw PromQl.malformed("a metric name or label matchers", tokens.peek());
            }
            if (tokens.takeIf("{")) {
                while (!tokens.takeIf("}")) {
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
            return LabelMatcher.of(label, negative, anyCase, alternatives(label,
                    anyCase ? LabelMatcher.folded(value.substring(ANY_CASE.length())) : value));
        }

        private static List<ValuePattern> alternatives(String label, String expression) {
            List<ValuePattern> alternatives = ValuePatterns.of(expression);
            if (alternatives.size() > MAX_ALTERNATIVES) {
                throw PromQl.invalid("expected at most " + MAX_ALTERNATIVES + " alternatives for the label " + label
                        + ", found " + alternatives.size());
            }
            return alternatives;
        }
    }

    /** The tokens of a query, read one after the other. */
    static final class Tokens {

        private static final String BLANKS = " \t\n\u000b\f\r";
        private static final Pattern IDENTIFIER = Pattern.compile("[a-zA-Z_:][a-zA-Z0-9_:]*");
        private static final Pattern NUMBER = Pattern.compile("(?:[0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)(?:[eE][-+]?[0-9]+)?");
        private static final Pattern DURATION = Pattern.compile("(?:[0-9]{1,9}(?:ms|[smhdwy])){1,7}(?![a-zA-Z0-9_:.])");
        private static final Pattern RANGE = Pattern.compile("\\[([^\\]]*)\\]");
        private static final Pattern SYMBOL = Pattern.compile("=~|!~|!=|==|<=|>=|[-+*/%^(){},=<>@]");

        private final String query;
        private final List<Token> all = new ArrayList<>();
        private int position;
        private int next;

        Tokens(String query) {
            this.query = query;
            skipBlanks();
            while (position < query.length()) {
                char first = query.charAt(position);
                if (first == '"' || first == '\'' || first == '`') {
                    StringLiteral literal = StringLiteral.at(query, position);
                    all.add(new Token(Token.Kind.STRING, literal.text(), position));
                    position = literal.end();
                } else if (!isTaken(DURATION, Token.Kind.DURATION) && !isTaken(NUMBER, Token.Kind.NUMBER)
                        && !isTaken(IDENTIFIER, Token.Kind.IDENTIFIER)
                        && !isTaken(RANGE, Token.Kind.RANGE) && !isTaken(SYMBOL, Token.Kind.SYMBOL)) {
                    throw PromQl.malformed("an expression",
                            new Token(Token.Kind.SYMBOL, query.substring(position, query.offsetByCodePoints(position, 1)),
                                    position));
                }
                skipBlanks();
            }
            all.add(new Token(Token.Kind.END, "", position));
        }

        /** A loop, as a repeated group in a regular expression takes stack for each repetition. */
        private void skipBlanks() {
            boolean comment = false;
            while (position < query.length()) {
                char first = query.charAt(position);
                comment = first == '#' || (comment && first != '\n');
                if (!comment && BLANKS.indexOf(first) < 0) {
                    return;
                }
                position++;
            }
        }

        private boolean isTaken(Pattern pattern, Token.Kind kind) {
            Matcher matcher = pattern.matcher(query).region(position, query.length());
            if (!matcher.lookingAt()) {
                return false;
            }
            all.add(new Token(kind, matcher.groupCount() > 0 ? matcher.group(1) : matcher.group(), position));
            position = matcher.end();
            return true;
        }

        Token peek() {
            return all.get(next);
        }

        Token peekSecond() {
            return all.get(Math.min(next + 1, all.size() - 1));
        }

        Token take() {
            Token token = all.get(next);
            next = Math.min(next + 1, all.size() - 1);
            return token;
        }

        boolean takeIf(String symbol) {
            boolean is = peek().is(symbol);
            if (is) {
                take();
            }
            return is;
        }

        void expect(String symbol) {
            if (!takeIf(symbol)) {
                throw PromQl.malformed("'" + symbol + "'", peek());
            }
        }

        String expect(Token.Kind kind, String expected) {
            if (peek().kind() != kind) {
                throw PromQl.malformed(expected, peek());
            }
            return take().text();
        }
    }

    /**
     * A token of a query.
     *
     * @param text its text; of a string, without quotes and escapes; of a range, what is between the brackets
     * @param position index of its first character in the query
     */
    record Token(Kind kind, String text, int position) {

        enum Kind {
            IDENTIFIER,
            NUMBER,
            DURATION,
            STRING,
            RANGE,
            SYMBOL,
            END
        }

        boolean is(String symbol) {
            return kind == Kind.SYMBOL && text.equals(symbol);
        }

        /** Whether it is a keyword, which may be written in any case. */
        boolean isKeyword(String word) {
            return kind == Kind.IDENTIFIER && text.equalsIgnoreCase(word);
        }
    }

    /**
     * A string of a query: in double or single quotes, with the escapes of Go, or raw in backticks.
     *
     * @param end index of the character after it
     */
    record StringLiteral(String text, int end) {

        /** The letters of escapes of one character, and what they stand for. */
        private static final String ESCAPES = "abfnrtv\\";
        private static final String ESCAPED = "\u0007\b\f\n\r\t\u000b\\";

        /** @param begin index of the opening quote */
        static StringLiteral at(String query, int begin) {
            char quote = query.charAt(begin);
            StringBuilder text = new StringBuilder();
            for (int i = begin + 1; i < query.length(); i++) {
                char next = query.charAt(i);
                if (next == quote) {
                    return new StringLiteral(text.toString(), i + 1);
                }
                if (next != '\\' || quote == '`') {
                    text.append(next);
                } else {
                    i = unescape(query, i + 1, quote, text);
                }
            }
            throw PromQl.invalid("expected a closing " + quote + " for the string that begins at character " + (begin + 1));
        }

        /** Appends the character of an escape, and returns the index of the escape's last character. */
        private static int unescape(String query, int at, char quote, StringBuilder text) {
            char escape = at < query.length() ? query.charAt(at) : 0;
            int simple = ESCAPES.indexOf(escape);
            if (simple >= 0 || escape == quote) {
                text.append(simple >= 0 ? ESCAPED.charAt(simple) : quote);
                return at;
            }
            return codePoint(query, at + 1, switch (escape) {
                case 'x' -> 2;
                case 'u' -> 4;
                case 'U' -> 8;
                default -> throw badEscape(at);
            }, text);
        }

        private static int codePoint(String query, int at, int digits, StringBuilder text) {
            try {
                // Bytes of UTF-8 beyond ASCII, as \x allows them in Go, make no text of their own.
                int codePoint = Integer.parseUnsignedInt(query, at, Math.min(at + digits, query.length()), 16);
                boolean isText = Character.isValidCodePoint(codePoint) && (digits > 2 || codePoint < 0x80)
                        && (codePoint < Character.MIN_SURROGATE || codePoint > Character.MAX_SURROGATE);
                if (isText && at + digits <= query.length()) {
                    text.appendCodePoint(codePoint);
                    return at + digits - 1;
                }
            } catch (NumberFormatException e) {
                // Refused below.
            }
            throw badEscape(at);
        }

        private static RuntimeException badEscape(int at) {
            return PromQl.invalid("expected an escape such as \\\\, \\\" or \\n at character " + at);
        }
    }

    /** Reads the regular expressions that are supported: values, prefixes and parts of values, several with {@code |}. */
    static final class ValuePatterns {

        private static final String SPECIAL = ".*+?()[]{}^$|\\";
        private static final String SUPPORTED = "expected values, prefixes and parts of values such as a|b, abc.*, abc.+ or"
                + " .*abc.*, with special characters escaped as in a\\\\.b, and perhaps (?i) before them";
        /** Every value is searched for every part. */
        private static final int MAX_GAPS = 100;

        private final String expression;
        private final int end;
        private final List<ValuePattern> patterns = new ArrayList<>();
        private final List<String> parts = new ArrayList<>();
        private final StringBuilder text = new StringBuilder();
        private int gaps;
        private int position;

        private ValuePatterns(String expression) {
            this.expression = expression;
            boolean grouped = expression.length() > 1 && expression.startsWith("(") && expression.endsWith(")")
                    && !expression.endsWith("\\)");
            this.position = grouped ? 1 : 0;
            this.end = grouped ? expression.length() - 1 : expression.length();
        }

        /** The patterns of a regular expression, one of which a value must match as a whole. */
        static List<ValuePattern> of(String expression) {
            return new ValuePatterns(expression).read();
        }

        private List<ValuePattern> read() {
            ValuePattern.Rest rest = ValuePattern.Rest.NOTHING;
            while (position < end) {
                char next = expression.charAt(position);
                char repeated = position + 1 < end ? expression.charAt(position + 1) : 0;
                boolean last = position + 2 == end || (position + 2 < end && expression.charAt(position + 2) == '|');
                if (next == '|') {
                    add(rest);
                    rest = ValuePattern.Rest.NOTHING;
                    position++;
                } else if (next == '.' && (repeated == '*' || (repeated == '+' && last))) {
                    if (last) {
                        rest = repeated == '+' ? ValuePattern.Rest.SOMETHING : ValuePattern.Rest.ANYTHING;
                    } else {
                        gap();
                    }
                    position += 2;
                } else {
                    literal(next);
                }
            }
            add(rest);
            return patterns;
        }

        private void gap() {
            if (++gaps > MAX_GAPS) {
                throw PromQl.invalid("expected at most " + MAX_GAPS + " times .* between parts of values");
            }
            parts.add(part());
        }

        private void literal(char next) {
            boolean escaped = next == '\\' && position + 1 < end && SPECIAL.indexOf(expression.charAt(position + 1)) >= 0;
            // A dash, a slash and the like may be escaped as well, but escaped letters are character classes.
            boolean needless = next == '\\' && position + 1 < end
                    && !Character.isLetterOrDigit(expression.charAt(position + 1));
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

        private String part() {
            String part = text.toString();
            text.setLength(0);
            return part;
        }

        private void add(ValuePattern.Rest rest) {
            parts.add(part());
            patterns.add(new ValuePattern(parts, rest));
            parts.clear();
        }
    }

    /**
     * One of the values that a matcher takes: a value, or all values with a prefix, or with some parts in this order.
     *
     * @param parts what a value begins with, and what is found later, with anything between them
     * @param rest what may follow
     */
    record ValuePattern(List<String> parts, Rest rest) {

        /** What may follow the text. */
        enum Rest {
            /** Nothing: the last part ends the value. */
            NOTHING,
            /** Anything: {@code .*} */
            ANYTHING,
            /** Something: {@code .+} */
            SOMETHING
        }

        static final ValuePattern ANY = new ValuePattern(List.of(""), Rest.ANYTHING);

        ValuePattern {
            parts = List.copyOf(parts);
        }

        static ValuePattern whole(String value) {
            return new ValuePattern(List.of(value), Rest.NOTHING);
        }

        /** Whether it is one value only. */
        boolean isWhole() {
            return rest == Rest.NOTHING && parts.size() == 1;
        }

        /** What all values begin with; perhaps empty. */
        String prefix() {
            return parts.get(0);
        }

        /** Each part where it is found first, so the time is that of one search. */
        boolean matches(String value) {
            int at = 0;
            for (int i = 0; i < parts.size(); i++) {
                String part = parts.get(i);
                boolean last = i == parts.size() - 1 && rest == Rest.NOTHING;
                int found = i == 0 ? 0 : last ? value.length() - part.length() : value.indexOf(part, at);
                if (found < at || !value.startsWith(part, found)) {
                    return false;
                }
                at = found + part.length();
            }
            return switch (rest) {
                case NOTHING -> at == value.length();
                case ANYTHING -> true;
                case SOMETHING -> at < value.length();
            };
        }
    }

    /** Prometheus' durations, such as {@code 1h30m}. */
    static final class PromDuration {

        private static final Pattern FORM = Pattern.compile(
                "(?:([0-9]{1,9})y)?(?:([0-9]{1,9})w)?(?:([0-9]{1,9})d)?(?:([0-9]{1,9})h)?(?:([0-9]{1,9})m(?!s))?"
                        + "(?:([0-9]{1,9})s)?(?:([0-9]{1,9})ms)?");
        private static final List<Duration> UNITS = List.of(Duration.ofDays(365), Duration.ofDays(7), Duration.ofDays(1),
                Duration.ofHours(1), Duration.ofMinutes(1), Duration.ofSeconds(1), Duration.ofMillis(1));
        /** Longer than all time. Longer ones are no different, and may be more than an instant can be moved by. */
        private static final Duration LONGEST = Duration.ofDays(365 * 100_000L);

        /** The duration, or empty if the text is not one or it is zero. A year has 365 days. */
        public static Optional<Duration> parse(String text) {
            Matcher matcher = FORM.matcher(text);
            if (!matcher.matches()) {
                return Optional.empty();
            }
            Duration sum = Duration.ZERO;
            for (int unit = 0; unit < UNITS.size(); unit++) {
                String count = matcher.group(unit + 1);
                sum = count == null ? sum : sum.plus(UNITS.get(unit).multipliedBy(Long.parseLong(count)));
            }
            return sum.isZero() ? Optional.empty() : Optional.of(sum.compareTo(LONGEST) < 0 ? sum : LONGEST);
        }
    }
}
