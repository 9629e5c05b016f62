package dev.windrow.chart;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Values as Helm merges them: maps by key, everything else as a whole. */
final class Values {

    private Values() {
    }

    /** A new file with the values of a file, and those of a YAML text over them. */
    static Path merged(Path file, String yaml) {
        try {
            JsonNode values = StrictKubernetes.YAML.readTree(file.toFile());
            JsonNode over = StrictKubernetes.YAML.readTree(yaml);
            Path merged = Files.createTempFile(Files.createDirectories(Path.of("target")), "values", ".yaml");
            merged.toFile().deleteOnExit();
            StrictKubernetes.YAML.writeValue(merged.toFile(), merged(values, over));
            return merged.toAbsolutePath();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static JsonNode merged(JsonNode values, JsonNode over) {
        if (!(values instanceof ObjectNode map) || !over.isObject()) {
            return over;
        }
        over.properties().forEach(entry -> map.set(entry.getKey(),
                merged(map.path(entry.getKey()), entry.getValue())));
        return map;
    }
}
