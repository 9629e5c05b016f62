package dev.windrow.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;

import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.JsonNode;

/** The schema describes every value, for editors and catalogs that show it. */
class SchemaTest {

    @Test
    void everyPropertyHasADescription() {
        Map<String, String> descriptions = new TreeMap<>();
        collect("", ValuesTest.SCHEMA, descriptions);

        assertThat(descriptions).hasSizeGreaterThan(250).containsKeys("/properties/writer/properties/config",
                "/$defs/dataset/properties/measures/additionalProperties/properties/type");
        assertThat(descriptions).allSatisfy((path, description) -> assertThat(description).as(path).isNotBlank());
    }

    /** A value has the same words everywhere. Definitions that several values share describe what these have in common. */
    @Test
    void aValuesDescriptionIsItsCommentInTheValuesFile() {
        Map<String, String> documented = ValuesTable.documented(ValuesTest.text("values.yaml"));

        assertThat(documented).hasSizeGreaterThan(200).allSatisfy((path, comment) -> {
            JsonNode schema = ValuesTest.SCHEMA.at("/properties/" + path.replace(".", "/properties/"));
            if (!schema.isMissingNode()) {
                assertThat(schema.path("description").asText()).as(path).isEqualTo(comment);
            }
        });
    }

    private static void collect(String path, JsonNode schema, Map<String, String> descriptions) {
        for (Map.Entry<String, JsonNode> entry : schema.properties()) {
            String inner = path + "/" + entry.getKey();
            if (path.endsWith("/properties") && !path.endsWith("/properties/properties")) {
                descriptions.put(inner, entry.getValue().path("description").asText());
            }
            collect(inner, entry.getValue(), descriptions);
        }
    }
}
