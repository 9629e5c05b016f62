package dev.windrow.bench.page;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

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
