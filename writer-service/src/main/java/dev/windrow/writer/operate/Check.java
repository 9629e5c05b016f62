package dev.windrow.writer.operate;

import java.io.IOException;
import java.math.BigDecimal;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.windrow.aws.AwsErrors;
import dev.windrow.base.Decimals;
import dev.windrow.base.Durations;
import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.DatasetsYaml;
import dev.windrow.dataset.Measure;
import dev.windrow.dataset.MeasureValue;
import dev.windrow.event.Attribute;
import dev.windrow.event.Event;
import dev.windrow.event.TenantNames;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;

/**
 * Posts events to the queue and waits until the gatherer answers with exactly their totals. The events stay in the table,
 * under a label of their own, and in the totals of datasets of their type that have no label.
 */
final class Check {

    private Check() {
    }

    /** @throws IllegalStateException if the gatherer does not return the expected totals in time */
    static String run(CommandSettings settings) {
        Datasets datasets = DatasetsYaml.read(settings.datasetsFile());
        Dataset dataset = dataset(datasets, settings.checked(CheckConfig.class).dataset());
        CheckEvents events = CheckEvents.of(datasets, dataset);
        // Before posting, as it fails if settings are missing or wrong.
        CheckTotals totals = new CheckTotals(settings.checkGather(), settings.checkApiKey());
        Duration timeout = settings.checked(CheckConfig.class).timeout();
        send(settings, events.message(Instant.now()));
        totals.await(events, timeout);
        return "%d events of dataset %s posted and answered exactly".formatted(CheckEvents.EVENTS, dataset.name());
    }

    /** Returns the named dataset, or the first with a label: without a label, the totals include all other events. */
    static Dataset dataset(Datasets datasets, Optional<String> name) {
        List<Dataset> labeled = datasets.all().stream().filter(dataset -> !dataset.label().isEmpty()).toList();
        return labeled.stream().filter(dataset -> name.isEmpty() || name.get().equals(dataset.name())).findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "windrow.check.dataset: expected a dataset with a label, which keeps the check's events apart, "
                                + "one of " + labeled.stream().map(Dataset::name).toList() + ", found "
                                + name.orElse("nothing")));
    }

    private static void send(CommandSettings settings, String message) {
        String queue = settings.queue();
        try (SqsAsyncClient sqs = settings.sqs()) {
            String url = queue.contains("://") ? queue
                    : AwsErrors.join(sqs.getQueueUrl(request -> request.queueName(queue))).queueUrl();
            AwsErrors.join(sqs.sendMessage(request -> {
                request.queueUrl(url).messageBody(message);
                if (queue.endsWith(".fifo")) {
                    request.messageGroupId("windrow-check").messageDeduplicationId(UUID.randomUUID().toString());
                }
            }));
        }
    }

    /**
     * Events for any dataset: all share one unique label, and have 1 for attributes that only measures read. An event that one
     * dataset of its type rejects counts in none, so they suit all of them.
     *
     * @param dataset the dataset whose totals are checked
     * @param sameType all datasets of its event type
     * @param mark the value of attributes that are only in labels
     * @param number the value of attributes that are in labels and read by measures
     */
    record CheckEvents(Dataset dataset, List<Dataset> sameType, String mark, BigDecimal number) {

        static final int EVENTS = 5;

        /** Bounds of a number with the maximum decimals of a sum; below 1, as it stays in totals of other datasets. */
        private static final long LEAST_DECIMALS = 10_000_000_000_000L;
        private static final long DECIMALS_END = 100_000_000_000_000L;

        /** Creates events with a unique label. */
        static CheckEvents of(Datasets datasets, Dataset dataset) {
            long decimals = ThreadLocalRandom.current().nextLong(LEAST_DECIMALS, DECIMALS_END);
            CheckEvents events = new CheckEvents(dataset, datasets.ofEventType(dataset.eventType()),
                    "windrow-check-" + UUID.randomUUID(), BigDecimal.valueOf(decimals, Decimals.SUMMAND_DECIMALS));
            if (events.label().stream().noneMatch(value -> value.equals(events.mark)
                    || value.equals(Decimals.canonical(events.number)))) {
                throw new IllegalArgumentException(
                        "windrow.check.dataset: expected a dataset whose conditions leave some of its"
                                + " label free, which keeps the check's events apart, found " + dataset.name());
            }
            return events;
        }

        String message(Instant time) {
            ArrayNode events = JsonNodeFactory.instance.arrayNode();
            for (int i = 0; i < EVENTS; i++) {
                ObjectNode event = events.addObject();
                event.put("type", dataset.eventType()).put("id", mark + "-" + i).put("time", time.toString());
                ObjectNode values = event.putObject("attributes");
                attributes().forEach((name, value) -> {
                    if (value instanceof Attribute.Decimal number) {
                        values.put(name, number.value());
                    } else {
                        values.put(name, value.label());
                    }
                });
            }
            return events.toString();
        }

        /** Returns attributes that suit all datasets of the type and meet the conditions of the checked one. */
        private Map<String, Attribute> attributes() {
            Map<String, Attribute> attributes = new LinkedHashMap<>();
            for (Dataset each : sameType) {
                each.measures().forEach(measure -> measure.source().ifPresent(
                        attribute -> attributes.put(attribute, new Attribute.Decimal(measured(attribute)))));
                each.label().stream().filter(attribute -> !isMeasured(attribute))
                        .forEach(attribute -> attributes.put(attribute, new Attribute.Text(mark)));
            }
            dataset.where().forEach((attribute, condition) -> {
                if (!condition.holds(attributes.get(attribute))) {
                    attributes.remove(attribute);
                    condition.example().ifPresent(value -> attributes.put(attribute, value));
                }
            });
            return attributes;
        }

        /** Returns the label in the API's order. */
        List<String> label() {
            Map<String, Attribute> attributes = attributes();
            return dataset.label().stream()
                    .map(attributes::get).map(value -> value == null ? "" : String.valueOf(value.label()))
                    .toList();
        }

        /** Returns the expected final values of the measures. */
        Map<String, BigDecimal> expected() {
            Event event = new Event(dataset.eventType(), Instant.EPOCH, mark, TenantNames.DEFAULT, attributes());
            Map<String, BigDecimal> expected = new LinkedHashMap<>();
            for (Measure measure : dataset.measures()) {
                BigDecimal ofEach = measure.broughtBy(event);
                BigDecimal total = ofEach == null ? measure.kind().ofNothing()
                        : Collections.nCopies(EVENTS, measure.kind().valueOf(ofEach, Instant.EPOCH)).stream()
                                .reduce(measure.kind()::combine).map(MeasureValue::value).orElseThrow();
                if (total != null) {
                    expected.put(measure.name(), total);
                }
            }
            return expected;
        }

        private BigDecimal measured(String attribute) {
            return sameType.stream().anyMatch(each -> each.label().contains(attribute)) ? number : BigDecimal.ONE;
        }

        private boolean isMeasured(String attribute) {
            return sameType.stream().flatMap(each -> each.measures().stream())
                    .anyMatch(measure -> measure.source().filter(attribute::equals).isPresent());
        }
    }

    /** Queries the gatherer for the totals of the posted events. */
    record CheckTotals(URI gather, Optional<String> apiKey) {

        private static final Duration PAUSE = Duration.ofMillis(500);
        private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(10);
        private static final ObjectMapper JSON = new ObjectMapper();

        /** Waits until the totals match the events; on timeout fails with the last answer. */
        void await(CheckEvents events, Duration timeout) {
            URI question = question(events);
            HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(REQUEST_TIMEOUT)
                    .build();
            long end = System.nanoTime() + timeout.toNanos();
            String last = get(http, question);
            while (!isExact(last, events.expected())) {
                if (System.nanoTime() - end > 0) {
                    throw new IllegalStateException(question + ": expected measures " + events.expected() + " within "
                            + Durations.text(timeout) + ", found " + last);
                }
                CommandTime.SYSTEM.pause(PAUSE);
                last = get(http, question);
            }
        }

        private URI question(CheckEvents events) {
            String label = events.label().stream().map(part -> "label=" + URLEncoder.encode(part, StandardCharsets.UTF_8))
                    .collect(Collectors.joining("&"));
            return gather.resolve("/api/v1/datasets/" + events.dataset().name() + "/totals?" + label);
        }

        /** Returns the answer's body or a description of the failure, as the gatherer may still be starting. */
        private String get(HttpClient http, URI question) {
            HttpRequest.Builder request = HttpRequest.newBuilder(question).timeout(REQUEST_TIMEOUT);
            apiKey.ifPresent(key -> request.header("X-API-Key", key));
            return http.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString())
                    .thenApply(response -> response.statusCode() == 200 ? response.body()
                            : "status " + response.statusCode() + " " + response.body())
                    .exceptionally(failure -> AwsErrors.cause(failure).toString()).join();
        }

        static boolean isExact(String answer, Map<String, BigDecimal> expected) {
            JsonNode measures;
            try {
                measures = JSON.readTree(answer).path("measures");
            } catch (IOException e) {
                return false;
            }
            return expected.entrySet().stream().allMatch(measure -> measures.path(measure.getKey()).isNumber()
                    && measures.path(measure.getKey()).decimalValue().compareTo(measure.getValue()) == 0);
        }
    }

}
