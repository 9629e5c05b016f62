package dev.windrow.bench.page;

import java.util.List;

import com.fasterxml.jackson.annotation.JsonIgnore;

/**
 * What one experiment found.
 *
 * @param id its name on the command line and in the page
 * @param title its heading
 * @param text what was done, in Markdown
 * @param tables numbers
 * @param targets what must be shown
 * @param measured when, and how busy the machine was before and after
 */
public record Section(String id, String title, String text, List<Table> tables, List<Target> targets,
        String measured) {

    /** A section not yet dated. */
    public Section(String id, String title, String text, List<Table> tables, List<Target> targets) {
        this(id, title, text, tables, targets, "");
    }

    /** The same, dated. */
    public Section measured(String when) {
        return new Section(id, title, text, tables, targets, when);
    }

    /**
     * A table.
     *
     * @param title what it shows
     * @param columns headings
     * @param rows cells, each a text or a number
     */
    public record Table(String title, List<String> columns, List<List<Object>> rows) {
    }

    /**
     * A number with a bound.
     *
     * @param id names the explanation that the page prints if it is missed
     * @param what the number's meaning and unit
     * @param measured what was found
     * @param bound what was wanted
     * @param atMost whether the bound is the most allowed, else the least
     */
    public record Target(String id, String what, double measured, double bound, boolean atMost) {

        /** Its maximum. */
        public static Target atMost(String id, String what, double measured, double bound) {
            return new Target(id, what, measured, bound, true);
        }

        /** The least it must be. */
        public static Target atLeast(String id, String what, double measured, double bound) {
            return new Target(id, what, measured, bound, false);
        }

        /** Whether it is. */
        @JsonIgnore
        public boolean isMet() {
            return atMost ? measured <= bound : measured >= bound;
        }
    }
}
