package dev.windrow.bench.page;

import java.util.List;

import com.fasterxml.jackson.annotation.JsonIgnore;

/**
 * What one experiment found.
 *
 * @param id its name on the command line and in the page
 * @param text what was done, in Markdown
 * @param columns the first one names what was measured; the second one may be {@code load}
 * @param targets what must be shown
 * @param measured when, on which machine, and how busy it was before and after
 * @param again how many times it was measured again since all sections were
 */
public record Section(String id, String title, String text, List<String> columns, List<List<Object>> rows,
        List<Target> targets, String measured, int again) {

    /** What an experiment found, without words. */
    public record Found(List<String> columns, List<List<Object>> rows, List<Target> targets) {
    }

    /** A section whose title and text are those of the resource {@code id.md}. */
    public static Section of(String id, Found found, String measured) {
        String[] parts = Page.resource(id + ".md").split("\n\n", 2);
        return new Section(id, parts[0], parts[1], found.columns(), found.rows(), found.targets(), measured, 0);
    }

    /** The same, measured in place of another one. */
    Section insteadOf(Section earlier) {
        return new Section(id, title, text, columns, rows, targets, measured, earlier.again + 1);
    }

    /**
     * A number with a bound.
     *
     * @param id names the explanation that the page prints if it is missed
     * @param what the number's meaning and unit
     * @param bound the maximum, or else the minimum
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
}
