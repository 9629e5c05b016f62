package dev.windrow.bench.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

import com.fasterxml.jackson.annotation.JsonIgnore;

/**
 * What one experiment found.
 *
 * @param id its name on the command line and in the page
 * @param text what was done, in Markdown
 * @param targets what must be shown
 * @param measured when, on which machine, and how busy it was before and after
 */
public record Section(String id, String title, String text, List<Table> tables, List<Target> targets, String measured) {

    /** A section not yet dated; its title and text are those of the resource {@code id.md}. */
    public static Section of(String id, List<Table> tables, List<Target> targets) {
        try (InputStream markdown = Objects.requireNonNull(Section.class.getResourceAsStream(id + ".md"), id)) {
            String[] parts = new String(markdown.readAllBytes(), StandardCharsets.UTF_8).split("\n\n", 2);
            return new Section(id, parts[0], parts[1], tables, targets, "");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The same, dated. */
    public Section measured(String when) {
        return new Section(id, title, text, tables, targets, when);
    }

    /** Numbers and texts in rows. */
    public record Table(String title, List<String> columns, List<List<Object>> rows) {
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
