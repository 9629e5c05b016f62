package dev.windrow.bench.table;

import java.util.NavigableMap;

import dev.windrow.bench.table.Condition.And;
import dev.windrow.bench.table.Condition.BeginsWith;
import dev.windrow.bench.table.Condition.Between;
import dev.windrow.bench.table.Condition.Compare;

/**
 * A key condition: one partition, and in it a range of sort keys.
 *
 * @param partition the partition key's value
 * @param sort what sort keys must meet
 * @param from where the range begins
 * @param to where it ends
 */
record KeyRange(String partition, Condition sort, Position from, Position to) {

    private static final Position FIRST = Position.before("");
    private static final Position LAST = Position.afterPrefix("");

    static KeyRange of(Condition condition, String partitionName, Scope scope) {
        Condition first = condition instanceof And and ? and.left() : condition;
        Condition second = condition instanceof And and ? and.right() : new Condition.Always();
        if (!(first instanceof Compare partition) || !partition.operator().equals("=")
                || !(partition.left() instanceof Operand.Attribute attribute)
                || !scope.name(attribute.token()).equals(partitionName)) {
            throw Refusal.invalid("KeyConditionExpression: expected " + partitionName + " = value, then AND a range");
        }
        return range(text(partition.right(), scope), second, scope);
    }

    private static KeyRange range(String partition, Condition sort, Scope scope) {
        if (sort instanceof Between between) {
            return new KeyRange(partition, sort, Position.before(text(between.low(), scope)),
                    Position.after(text(between.high(), scope)));
        }
        if (sort instanceof BeginsWith begins) {
            String prefix = text(begins.prefix(), scope);
            return new KeyRange(partition, sort, Position.before(prefix), Position.afterPrefix(prefix));
        }
        if (sort instanceof Compare compare) {
            String bound = text(compare.right(), scope);
            boolean upper = compare.operator().startsWith("<");
            boolean equal = compare.operator().equals("=");
            return new KeyRange(partition, sort, upper ? FIRST : Position.before(bound),
                    upper || equal ? Position.after(bound) : LAST);
        }
        return new KeyRange(partition, sort, FIRST, LAST);
    }

    NavigableMap<Position, Item> of(NavigableMap<Position, Item> items) {
        return from.compareTo(to) > 0 ? items.headMap(FIRST, false) : items.subMap(from, true, to, true);
    }

    private static String text(Operand operand, Scope scope) {
        return operand.required(scope).path("S").asText();
    }
}
