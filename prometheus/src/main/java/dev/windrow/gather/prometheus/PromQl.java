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

/** Parses queries and reports what is wrong with them. */
final class PromQl {

    /** The label that holds a series' metric name. */
    static final String NAME = "__name__";

    private static final Pattern DURATION = Pattern.compile(
            "(?:([0-9]{1,9})y)?(?:([0-9]{1,9})w)?(?:([0-9]{1,9})d)?(?:([0-9]{1,9})h)?(?:([0-9]{1,9})m(?!s))?"
                    + "(?:([0-9]{1,9})s)?(?:([0-9]{1,9})ms)?");
    private static final List<Duration> UNITS = List.of(Duration.ofDays(365), Duration.ofDays(7), Duration.ofDays(1),
            Duration.ofHours(1), Duration.ofMinutes(1), Duration.ofSeconds(1), Duration.ofMillis(1));
    /** Longer than all time. Longer durations make no difference, and could exceed the range of instants. */
    private static final Duration LONGEST = Duration.ofDays(365 * 100_000L);

    private PromQl() {
    }

    /** Returns the error for a query that is PromQL, but outside the subset. */
    static InvalidInputException unsupported(String what, String instead) {
        return invalid(Sanitized.line(what) + " is not supported: " + instead);
    }

    /** Returns the error for a query that is not PromQL. */
    static InvalidInputException malformed(String expected, Token found) {
        return invalid("expected " + expected + " at character " + (found.position() + 1) + ", found "
                + (found.kind() == Token.Kind.END ? "the end" : Sanitized.of(found.text())));
    }

    static InvalidInputException invalid(String expectation) {
        return new InvalidInputException(Reason.INVALID_PARAMETER, "query", expectation);
    }

    /** Returns a duration such as {@code 1h30m}; empty if the text is not one or it is zero. A year has 365 days. */
    static Optional<Duration> duration(String text) {
        Matcher matcher = DURATION.matcher(text);
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

    /** Parses the expressions of the subset; errors name the parts of PromQL that are outside of it. */
    static final class ExpressionParser {

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

    /** The tokens of a query, read one after the other. */
    static final class Tokens {

        /** The letters of one-character escapes, and the characters that they stand for. */
        private static final String ESCAPES = "abfnrtv\\";
        private static final String ESCAPED = "\u0007\b\f\n\r\t\u000b\\";

        private final String query;
        private final List<Token> all = new ArrayList<>();
        private int position;
        private int next;

        Tokens(String query) {
            this.query = query;
            Token token;
            do {
                token = token();
                if (token.kind() != Token.Kind.BLANK) {
                    all.add(token);
                }
            } while (token.kind() != Token.Kind.END);
        }

        private Token token() {
            int begin = position;
            for (Token.Kind kind : Token.Kind.values()) {
                Matcher matcher = kind.form.matcher(query).region(begin, query.length());
                if (matcher.lookingAt()) {
                    position = matcher.end();
                    return new Token(kind, kind == Token.Kind.STRING ? string(begin) : matcher.group(matcher.groupCount()),
                            begin);
                }
            }
            throw PromQl.malformed("an expression",
                    new Token(Token.Kind.SYMBOL, query.substring(begin, query.offsetByCodePoints(begin, 1)), begin));
        }

        /** Reads a string in double or single quotes, with Go's escapes, or raw in backticks. */
        private String string(int begin) {
            char quote = query.charAt(begin);
            StringBuilder text = new StringBuilder();
            while (position < query.length()) {
                char next = query.charAt(position++);
                if (next == quote) {
                    return text.toString();
                }
                if (next != '\\' || quote == '`') {
                    text.append(next);
                } else {
                    unescape(quote, text);
                }
            }
            throw PromQl.invalid("expected a closing " + quote + " for the string that begins at character " + (begin + 1));
        }

        /** Appends the character of an escape. */
        private void unescape(char quote, StringBuilder text) {
            char escape = position < query.length() ? query.charAt(position) : 0;
            int simple = ESCAPES.indexOf(escape);
            if (simple >= 0 || escape == quote) {
                text.append(simple >= 0 ? ESCAPED.charAt(simple) : quote);
                position++;
                return;
            }
            int digits = switch (escape) {
                case 'x' -> 2;
                case 'u' -> 4;
                case 'U' -> 8;
                default -> throw badEscape();
            };
            position++;
            try {
                int codePoint = Integer.parseUnsignedInt(query, position, position + digits, 16);
                // Go allows bytes of UTF-8 beyond ASCII as \x; by themselves, they are not text.
                if (Character.isValidCodePoint(codePoint) && (digits > 2 || codePoint < 0x80)
                        && Character.getType(codePoint) != Character.SURROGATE) {
                    text.appendCodePoint(codePoint);
                    position += digits;
                    return;
                }
            } catch (NumberFormatException | IndexOutOfBoundsException e) {
                // Rejected below.
            }
            throw badEscape();
        }

        private RuntimeException badEscape() {
            return PromQl.invalid("expected an escape such as \\\\, \\\" or \\n at character " + position);
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
     * @param text its text; without quotes and escapes for a string; without the brackets for a range
     * @param position index of its first character in the query
     */
    record Token(Kind kind, String text, int position) {

        enum Kind {
            /** A blank or a comment. Possessive, because each repetition would take stack otherwise. */
            BLANK("[ \\t\\n\\x0B\\f\\r]++|#[^\\n]*+"),
            /** Matches only the opening quote. */
            STRING("[\"'`]"),
            DURATION("(?:[0-9]{1,9}(?:ms|[smhdwy])){1,7}(?![a-zA-Z0-9_:.])"),
            NUMBER("(?:[0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)(?:[eE][-+]?[0-9]+)?"),
            IDENTIFIER("[a-zA-Z_:][a-zA-Z0-9_:]*"),
            RANGE("\\[([^\\]]*)\\]"),
            SYMBOL("=~|!~|!=|==|<=|>=|[-+*/%^(){},=<>@]"),
            END("\\z");

            private final Pattern form;

            Kind(String form) {
                this.form = Pattern.compile(form);
            }
        }

        boolean is(String symbol) {
            return kind == Kind.SYMBOL && text.equals(symbol);
        }

        /** Whether it is this keyword, in any case. */
        boolean isKeyword(String word) {
            return kind == Kind.IDENTIFIER && text.equalsIgnoreCase(word);
        }
    }

    /**
     * A pattern for values: one value, or all values with a prefix, or with some parts in this order.
     *
     * @param parts the start of a value, parts found later with anything between them ({@code .*}), and the end of the value
     * @param something whether there must be something before the last part ({@code .+}), which is empty then
     */
    record ValuePattern(List<String> parts, boolean something) {

        private static final String SUPPORTED = "expected values, prefixes and parts of values such as a|b, abc.*, abc.+ or"
                + " .*abc.*, with special characters escaped as in a\\\\.b, and perhaps (?i) before them";
        /** Limits the time of matching: every value is searched for every part. */
        private static final int MAX_GAPS = 100;

        /**
         * A character, a gap, or the end of an alternative. Punctuation such as a dash or a slash may be escaped like special
         * characters, but escaped letters are character classes.
         */
        private static final Pattern NEXT = Pattern.compile("(?s)(?:\\\\(?![\\p{L}\\p{Nd}])|(?![.*+?()\\[\\]{}^$|\\\\]))(.)"
                + "|\\.\\*|\\.\\+(?=\\|)|\\|");

        /** Any value: {@code .*} */
        static final ValuePattern ANY = new ValuePattern(List.of("", ""), false);

        ValuePattern {
            parts = List.copyOf(parts);
        }

        /**
         * Reads a regular expression of values, prefixes and parts of values, several with {@code |}: one of the patterns must
         * match the whole value.
         */
        static List<ValuePattern> of(String expression) {
            // A backslash that is escaped itself does not escape the last parenthesis.
            boolean grouped = expression.length() > 1 && expression.startsWith("(") && expression.endsWith(")")
                    && !expression.replace("\\\\", "").endsWith("\\)");
            String alternatives = (grouped ? expression.substring(1, expression.length() - 1) : expression) + "|";
            List<ValuePattern> patterns = new ArrayList<>();
            List<String> parts = new ArrayList<>();
            StringBuilder part = new StringBuilder();
            Matcher next = NEXT.matcher(alternatives);
            String before = "";
            int gaps = 0;
            for (int at = 0; at < alternatives.length()
                    && next.region(at, alternatives.length()).lookingAt(); at = next.end()) {
                if (next.group(1) != null) {
                    part.append(next.group(1));
                } else {
                    parts.add(part.toString());
                    part.setLength(0);
                }
                if (next.group().equals("|")) {
                    patterns.add(new ValuePattern(parts, before.equals(".+")));
                    parts.clear();
                } else if (next.group().equals(".*") && alternatives.charAt(next.end()) != '|' && ++gaps > MAX_GAPS) {
                    throw PromQl.invalid("expected at most " + MAX_GAPS + " times .* between parts of values");
                }
                before = next.group();
            }
            // A trailing backslash would escape the end of the last alternative.
            if (next.regionStart() < alternatives.length() - 1) {
                throw PromQl.unsupported("the regular expression " + expression, SUPPORTED);
            }
            return patterns;
        }

        static ValuePattern whole(String value) {
            return new ValuePattern(List.of(value), false);
        }

        /** Whether it matches one value only. */
        boolean isWhole() {
            return parts.size() == 1;
        }

        /** Returns what all matching values begin with; may be empty. */
        String prefix() {
            return parts.get(0);
        }

        /** Matches each part where it is found first, so that the time is that of one search. */
        boolean matches(String value) {
            int at = 0;
            for (int i = 0; i < parts.size(); i++) {
                String part = parts.get(i);
                boolean last = i > 0 && i == parts.size() - 1;
                int found = i == 0 ? 0 : last ? value.length() - part.length() : value.indexOf(part, at);
                if (found < (last && something ? at + 1 : at) || !value.startsWith(part, found)) {
                    return false;
                }
                at = found + part.length();
            }
            return at == value.length();
        }
    }
}
