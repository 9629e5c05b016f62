package dev.windrow.bench.page;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;

/**
 * The result of a run.
 *
 * @param run date, machine, versions, seed
 * @param sections results of the experiments
 */
public record Result(Map<String, String> run, List<Section> sections) {

    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    /**
     * A section of the page.
     *
     * @param id its name on the command line and in the page
     * @param text description of the experiment, in Markdown
     * @param measured when, on which machine, and how busy that was before and after
     */
    public record Section(String id, String title, String text, Found found, String measured) {

        /** Creates a section with title and text from the resource {@code id.md}. */
        public static Section of(String id, Found found, String measured) {
            String[] parts = Page.resource(id + ".md").split("\n\n", 2);
            return new Section(id, parts[0], parts[1], found, measured);
        }
    }

    /**
     * The result of one experiment.
     *
     * @param columns the first one names what was measured; the second one may be {@code load}
     * @param targets targets that the numbers must meet
     */
    public record Found(List<String> columns, List<List<Object>> rows, List<Target> targets) {
    }

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

    public void write(Path file) {
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            Files.writeString(file, JSON.writeValueAsString(this) + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static Result read(Path file) {
        try {
            return JSON.readValue(file.toFile(), Result.class);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
