package dev.windrow.bench.page;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;

/**
 * A run.
 *
 * @param run date, machine, versions, seed
 * @param sections what the experiments found
 */
public record Result(Map<String, String> run, List<Section> sections) {

    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

    /**
     * This run, with those sections of an earlier one that were not measured again.
     *
     * @param order all sections; a run that has them all owes nothing to the earlier one
     */
    public Result over(Result earlier, List<String> order) {
        if (sections.size() == order.size()) {
            return this;
        }
        Map<String, Section> all = new HashMap<>();
        earlier.sections.forEach(section -> all.put(section.id(), section));
        sections.forEach(section -> all.merge(section.id(), section, (before, now) -> now.insteadOf(before)));
        return new Result(run, order.stream().filter(all::containsKey).map(all::get).toList());
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
