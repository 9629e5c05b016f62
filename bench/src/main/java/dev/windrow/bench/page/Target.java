package dev.windrow.bench.page;

import com.fasterxml.jackson.annotation.JsonIgnore;

/**
 * A number with a bound.
 *
 * @param id key of the explanation that the page prints if the target is missed
 * @param what the number's meaning and unit
 * @param bound the maximum if {@code atMost}, else the minimum
 */
public record Target(String id, String what, double measured, double bound, boolean atMost) {

    public static Target atMost(String id, String what, double measured, double bound) {
        return new Target(id, what, measured, bound, true);
    }

    public static Target atLeast(String id, String what, double measured, double bound) {
        return new Target(id, what, measured, bound, false);
    }

    @JsonIgnore
    public boolean isMet() {
        return atMost ? measured <= bound : measured >= bound;
    }
}
