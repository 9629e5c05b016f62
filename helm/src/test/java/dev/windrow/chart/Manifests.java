package dev.windrow.chart;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;

/** Rendered documents, each parsed strictly. */
record Manifests(List<Manifest> all) {

    static Manifests parse(String text) {
        return of(documents(text));
    }

    static Manifests of(List<JsonNode> documents) {
        documents.forEach(StrictKubernetes::check);
        return new Manifests(documents.stream().map(Manifest::new).toList());
    }

    /** The documents of a YAML text; those that are empty are left out. */
    static List<JsonNode> documents(String text) {
        try (MappingIterator<JsonNode> documents = StrictKubernetes.YAML.readerFor(JsonNode.class).readValues(text)) {
            return documents.readAll().stream().filter(document -> !document.isNull() && !document.isMissingNode()).toList();
        } catch (IOException e) {
            throw new AssertionError("expected YAML documents without a key twice: " + e.getMessage(), e);
        }
    }

    Stream<Manifest> kind(String kind) {
        return all.stream().filter(manifest -> manifest.kind().equals(kind));
    }

    Manifest one(String kind, String name) {
        return kind(kind).filter(manifest -> manifest.name().equals(name)).findFirst()
                .orElseThrow(() -> new AssertionError("expected " + kind + "/" + name + ", found " + all));
    }

    Set<String> ids() {
        return all.stream().map(Manifest::id).collect(Collectors.toSet());
    }

    /** What runs pods. */
    Stream<Manifest> withPods() {
        return all.stream().filter(Manifest::hasPods);
    }

    /** Those whose pods a selector selects. */
    List<Manifest> selectedBy(JsonNode selector) {
        Map<String, String> wanted = Manifest.strings(selector);
        return withPods().filter(manifest -> Manifest.strings(manifest.podTemplate().at("/metadata/labels")).entrySet()
                .containsAll(wanted.entrySet())).toList();
    }
}
