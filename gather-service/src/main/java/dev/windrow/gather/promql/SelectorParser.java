package dev.windrow.gather.promql;

import java.util.ArrayList;
import java.util.List;

/** Reads selectors: a metric name, label matchers in braces, or both. */
public final class SelectorParser {

    /** Alternatives of one regular expression. */
    private static final int MAX_ALTERNATIVES = 1_000;

    private final Tokens tokens;

    SelectorParser(Tokens tokens) {
        this.tokens = tokens;
    }

    /**
     * A selector by itself.
     *
     * @throws dev.windrow.base.InvalidInputException if it is anything else, or not supported
     */
    public static Selector parse(String text) {
        Tokens tokens = new Tokens(text);
        Selector selector = new SelectorParser(tokens).selector();
        if (tokens.peek().kind() != Token.Kind.END) {
            throw PromQl.malformed("nothing after the selector", tokens.peek());
        }
        return selector;
    }

    Selector selector() {
        List<LabelMatcher> matchers = new ArrayList<>();
        if (tokens.peek().kind() == Token.Kind.IDENTIFIER) {
            matchers.add(equal(PromQl.NAME, tokens.take().text()));
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
        if (operator.is("!=") || operator.is("!~")) {
            throw PromQl.unsupported("the matcher " + label + operator.text(), "labels are matched with = and =~");
        }
        if (!operator.is("=") && !operator.is("=~")) {
            throw PromQl.malformed("= or =~ after the label " + label, operator);
        }
        String value = tokens.expect(Token.Kind.STRING, "a value in quotes for the label " + label);
        return operator.is("=") ? equal(label, value) : new LabelMatcher(label, alternatives(label, value));
    }

    private static List<ValuePattern> alternatives(String label, String expression) {
        List<ValuePattern> alternatives = ValuePatterns.of(expression);
        if (alternatives.size() > MAX_ALTERNATIVES) {
            throw PromQl.invalid("expected at most " + MAX_ALTERNATIVES + " alternatives for the label " + label + ", found "
                    + alternatives.size());
        }
        return alternatives;
    }

    private static LabelMatcher equal(String label, String value) {
        return new LabelMatcher(label, List.of(new ValuePattern(value, ValuePattern.Rest.NOTHING)));
    }
}
