package dev.windrow.writer.command;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.Decimals;
import dev.windrow.dataset.Measure;

/**
 * Events for a dataset of any form: all have one label that nothing else has, and 1 wherever only measures look. An event
 * that one dataset of its type rejects counts in none, so they suit them all.
 *
 * @param dataset whose totals they are checked with
 * @param sameType all datasets of its event type
 * @param mark the value of attributes that are in labels only
 * @param number the value of attributes that are in labels and that measures read too
 */
record CheckEvents(Dataset dataset, List<Dataset> sameType, String mark, BigDecimal number) {

    /** How many there are. */
    static final int EVENTS = 5;

    private static final ObjectMapper JSON = new ObjectMapper();

    /** A number with all decimals that a sum takes; below 1, as it stays in the totals of other datasets. */
    private static final long LEAST_DECIMALS = 10_000_000_000_000L;
    private static final long DECIMALS_END = 100_000_000_000_000L;

    /** Events with a label of their own. */
    static CheckEvents of(Datasets datasets, Dataset dataset) {
        long decimals = ThreadLocalRandom.current().nextLong(LEAST_DECIMALS, DECIMALS_END);
        return new CheckEvents(dataset, datasets.ofEventType(dataset.eventType()), "windrow-check-" + UUID.randomUUID(),
                BigDecimal.valueOf(decimals, Decimals.SUMMAND_DECIMALS));
    }

    /** One message with all of them. */
    String message(Instant time) {
        ArrayNode events = JSON.createArrayNode();
        for (int i = 0; i < EVENTS; i++) {
            ObjectNode event = events.addObject();
            event.put("type", dataset.eventType()).put("id", mark + "-" + i).put("time", time.toString());
            addAttributes(event.putObject("attributes"));
        }
        try {
            return JSON.writeValueAsString(events);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    private void addAttributes(ObjectNode attributes) {
        for (Dataset each : sameType) {
            each.measures().forEach(measure -> measure.source()
                    .ifPresent(attribute -> attributes.put(attribute, measured(attribute))));
            each.label().stream().filter(attribute -> !isMeasured(attribute))
                    .forEach(attribute -> attributes.put(attribute, mark));
        }
    }

    /** The label in the API's order. */
    List<String> label() {
        return dataset.label().stream()
                .map(attribute -> isMeasured(attribute) ? Decimals.canonical(number) : mark).toList();
    }

    /** What the measures must be in the end. */
    Map<String, BigDecimal> expected() {
        Map<String, BigDecimal> expected = new LinkedHashMap<>();
        for (Measure measure : dataset.measures()) {
            BigDecimal ofEach = measure.source().map(this::measured).orElse(BigDecimal.ONE);
            expected.put(measure.name(),
                    measure.kind().isAdditive() ? ofEach.multiply(BigDecimal.valueOf(EVENTS)) : ofEach);
        }
        return expected;
    }

    /** The value of an attribute that a measure reads. */
    private BigDecimal measured(String attribute) {
        return sameType.stream().anyMatch(each -> each.label().contains(attribute)) ? number : BigDecimal.ONE;
    }

    private boolean isMeasured(String attribute) {
        return sameType.stream().flatMap(each -> each.measures().stream())
                .anyMatch(measure -> measure.source().filter(attribute::equals).isPresent());
    }
}
