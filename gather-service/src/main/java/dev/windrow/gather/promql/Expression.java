package dev.windrow.gather.promql;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** What a query computes. There is at most one {@link Selection} in it, as arithmetic takes one vector only. */
public sealed interface Expression {

    /** Whether it is a number, and not a vector of series. */
    default boolean isScalar() {
        return selection().isEmpty();
    }

    /** The series that it is computed from; empty for a number. */
    Optional<Selection> selection();

    /**
     * A number.
     *
     * @param number a {@link BigDecimal}, or a {@link Double} that is infinite or no number
     */
    record Literal(Number number) implements Expression {

        @Override
        public Optional<Selection> selection() {
            return Optional.empty();
        }
    }

    /**
     * Series, each with what a function makes of its buckets; perhaps added up.
     *
     * @param selector which series
     * @param function what becomes of their buckets
     * @param window how far back; zero for all time
     * @param sumBy the labels to sum series by, counts and sums before any floor is applied; empty to leave each series by
     *        itself
     */
    record Selection(Selector selector, RangeFunction function, Duration window,
            Optional<Set<String>> sumBy) implements Expression {

        /** The same without adding up. */
        public Selection ofEachSeries() {
            return new Selection(selector, function, window, Optional.empty());
        }

        @Override
        public Optional<Selection> selection() {
            return Optional.of(this);
        }
    }

    /**
     * Series put together.
     *
     * @param operator how
     * @param by the labels that are left
     * @param of a vector
     */
    record Aggregation(Operator operator, Set<String> by, Expression of) implements Expression {

        /** How series are put together. */
        public enum Operator {
            SUM,
            MIN,
            MAX
        }

        @Override
        public Optional<Selection> selection() {
            return of.selection();
        }
    }

    /**
     * The largest series at each time.
     *
     * @param count how many; not negative
     * @param by of each group of series with the same values of these labels
     * @param of a vector
     */
    record TopK(int count, Set<String> by, Expression of) implements Expression {

        @Override
        public Optional<Selection> selection() {
            return of.selection();
        }
    }

    /**
     * A vector and a number: one of the operands is a {@link Literal}, as numbers are computed when a query is read.
     *
     * @param operator what is computed
     * @param left first operand
     * @param right second operand
     */
    record Arithmetic(ArithmeticOperator operator, Expression left, Expression right) implements Expression {

        @Override
        public Optional<Selection> selection() {
            return left.selection().or(right::selection);
        }
    }
}
