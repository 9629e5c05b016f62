package dev.windrow.chart;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * The part of kustomize that the manifests use, so that they can be tested where there is no kubectl: resources, JSON patches,
 * replicas, images and ConfigMaps of files (without the hash in their name). Anything else is an error. Where kubectl is found,
 * a test compares the two.
 */
final class Kustomization {

    private static final Set<String> KNOWN = Set.of("apiVersion", "kind", "resources", "configMapGenerator", "patches",
            "images", "replicas");
    static final Path OVERLAYS = Path.of("../k8s/overlays").toAbsolutePath().normalize();

    private final Path folder;
    private final List<JsonNode> objects = new ArrayList<>();

    private Kustomization(Path folder) {
        this.folder = folder;
        JsonNode file = Manifests.documents(WindrowChart.text(folder.resolve("kustomization.yaml"))).get(0);
        file.fieldNames().forEachRemaining(field -> require(KNOWN.contains(field), "unknown field " + field));
        for (JsonNode resource : file.path("resources")) {
            Path path = folder.resolve(resource.asText()).normalize();
            objects.addAll(
                    Files.isDirectory(path) ? new Kustomization(path).objects : Manifests.documents(WindrowChart.text(path)));
        }
        file.path("configMapGenerator").forEach(this::configMap);
        file.path("patches").forEach(this::patch);
        file.path("replicas").forEach(this::replicas);
        file.path("images").forEach(this::image);
    }

    /** What {@code kubectl apply -k} would apply of an overlay of {@code k8s}. */
    static List<JsonNode> overlay(String name) {
        return new Kustomization(OVERLAYS.resolve(name)).objects;
    }

    private void configMap(JsonNode generator) {
        ObjectNode map = StrictKubernetes.YAML.createObjectNode().put("apiVersion", "v1").put("kind", "ConfigMap");
        map.putObject("metadata").put("name", generator.path("name").asText());
        ObjectNode data = map.putObject("data");
        generator.path("files").forEach(path -> data.put(path.asText(), WindrowChart.text(folder.resolve(path.asText()))));
        objects.add(map);
    }

    private void patch(JsonNode patch) {
        JsonNode operations = StrictKubernetes.tree(patch.has("path")
                ? WindrowChart.text(folder.resolve(patch.path("path").asText()))
                : patch.path("patch").asText());
        JsonNode target = patch.path("target");
        List<JsonNode> targets = objects.stream()
                .filter(object -> object.path("kind").equals(target.path("kind")))
                .filter(object -> name(object).matches(target.path("name").asText(".*"))).toList();
        require(!targets.isEmpty(), "no object for the target " + target);
        targets.forEach(object -> operations.forEach(operation -> apply(operation, object)));
    }

    private void apply(JsonNode operation, JsonNode object) {
        String path = operation.path("path").asText();
        String last = path.substring(path.lastIndexOf('/') + 1);
        JsonNode parent = object.at(path.substring(0, path.lastIndexOf('/')));
        String what = operation.path("op").asText();
        require(!parent.isMissingNode(), path + ": nothing there in " + name(object));
        if (what.equals("add") && parent instanceof ArrayNode list && last.equals("-")) {
            list.add(operation.path("value").deepCopy());
        } else if (what.equals("add") && parent instanceof ObjectNode map) {
            map.set(last, operation.path("value").deepCopy());
        } else {
            require(what.equals("remove") && parent.has(last), "cannot " + what + " " + path + " in " + name(object));
            ((ObjectNode) parent).remove(last);
        }
    }

    private void replicas(JsonNode replicas) {
        JsonNode deployment = objects.stream().filter(object -> object.path("kind").asText().equals("Deployment"))
                .filter(object -> name(object).equals(replicas.path("name").asText())).findFirst().orElseThrow();
        ((ObjectNode) deployment.path("spec")).set("replicas", replicas.path("count"));
    }

    private void image(JsonNode image) {
        int changed = 0;
        for (JsonNode object : objects) {
            for (JsonNode container : object.at("/spec/template/spec/containers")) {
                if (container.path("image").asText().startsWith(image.path("name").asText() + ":")) {
                    ((ObjectNode) container).put("image", image.path("newName").asText() + ":" + image.path("newTag").asText());
                    changed++;
                }
            }
        }
        require(changed > 0, "no container has the image " + image.path("name"));
    }

    private static String name(JsonNode object) {
        return object.at("/metadata/name").asText();
    }

    private void require(boolean condition, String complaint) {
        if (!condition) {
            throw new AssertionError(folder + ": " + complaint);
        }
    }
}
