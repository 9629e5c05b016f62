package dev.windrow.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;

/**
 * The checked-in manifests of the services say what those say that their build generates. With {@code -Dwindrow.write=true}
 * those that do not are written anew.
 */
class GeneratedManifestsIT {

    @ParameterizedTest
    @ValueSource(strings = { "writer-service", "gather-service" })
    void theCheckedInManifestIsTheBuilds(String service) throws IOException {
        Path generated = Path.of("..", service, "target/kubernetes/kubernetes.yml");
        Path checkedIn = Path.of("../k8s/base", service + ".yml");

        // A file that differs in the order alone is left: the build would never generate the same for long.
        if (Boolean.getBoolean("windrow.write") && !documents(checkedIn).equals(documents(generated))) {
            Files.copy(generated, checkedIn, StandardCopyOption.REPLACE_EXISTING);
        }

        assertThat(documents(checkedIn)).as("write it anew with -Dit.test=GeneratedManifestsIT -Dwindrow.write=true")
                .isEqualTo(documents(generated));
    }

    private static List<JsonNode> documents(Path file) throws IOException {
        List<JsonNode> documents = Manifests.documents(Files.readString(file));
        documents.forEach(GeneratedManifestsIT::sortByName);
        return documents;
    }

    /** Lists of named things (ports, variables, volumes) come in another order from build to build. */
    private static void sortByName(JsonNode node) {
        if (node instanceof ArrayNode list) {
            List<JsonNode> elements = new ArrayList<>();
            list.forEach(elements::add);
            elements.sort(Comparator.comparing(element -> element.path("name").asText()));
            list.removeAll().addAll(elements);
        }
        node.forEach(GeneratedManifestsIT::sortByName);
    }
}
