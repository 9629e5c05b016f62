package dev.windrow.writer.command;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.windrow.dataset.Dataset;
import dev.windrow.measure.Measure;
import dev.windrow.measure.MeasureKind;

/**
 * Events for a dataset of any form: all have one label that nothing else has, and 1 wherever a measure looks.
 *
 * @param dataset whose events
 * @param mark the label's value in each of its parts
 */
record CheckEvents(Dataset dataset, String mark) {

    /** How many there are. */
    static final int EVENTS = 5;

    private static final ObjectMapper JSON = new ObjectMapper();

    /** One message with all of them. */
    String message(Instant time) {
        ArrayNode events = JSON.createArrayNode();
        for (int i = 0; i < EVENTS; i++) {
            ObjectNode event = events.addObject();
            event.put("type", dataset.eventType()).put("time", time.toString());
            ObjectNode attributes = event.putObject("attributes");
            dataset.measures().forEach(measure -> measure.source().ifPresent(attribute -> attributes.put(attribute, 1)));
            // After the measures, as an attribute may be both: then the label decides.
            dataset.label().forEach(attribute -> attributes.put(attribute, mark));
        }
        try {
            return JSON.writeValueAsString(events);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The label in the API's order. */
    List<String> label() {
        return dataset.label().stream().map(attribute -> mark).toList();
    }

    /** What the measures must be in the end; those of an attribute that the label has are left out. */
    Map<String, BigDecimal> expected() {
        Map<String, BigDecimal> expected = new LinkedHashMap<>();
        for (Measure measure : dataset.measures()) {
            if (measure.source().filter(dataset.label()::contains).isEmpty()) {
                boolean addsUp = measure.kind() == MeasureKind.COUNT || measure.kind() == MeasureKind.SUM;
                expected.put(measure.name(), BigDecimal.valueOf(addsUp ? EVENTS : 1));
            }
        }
        return expected;
    }
}
