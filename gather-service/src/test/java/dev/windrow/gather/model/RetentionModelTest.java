package dev.windrow.gather.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.random.RandomGenerator;
import java.util.stream.StreamSupport;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

import com.fasterxml.jackson.databind.JsonNode;

import dev.windrow.gather.prometheus.PrometheusModelTest;
import dev.windrow.local.LocalAws;
import dev.windrow.table.BucketKey;
import dev.windrow.table.TableSchema;
import dev.windrow.testing.GeneratedCases;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;

/**
 * Random queries of datasets with retention, at times between which buckets pass their horizons. DynamoDB deletes expired items
 * at once in some datasets, never in others, and randomly in the rest. {@code -Dwindrow.retention.questions=N} sets their
 * number.
 */
@QuarkusTest
@TestProfile(ForgetfulProfile.class)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Tag("slow")
class RetentionModelTest {

    private static final int QUESTIONS = GeneratedCases.count("windrow.retention.questions", 300, 1_200);
    private static final int TIMES = 30;
    private static final int PROMQL_QUESTIONS = GeneratedCases.count("windrow.prometheus.questions", 40, 400);
    private static final int PROMQL_TIMES = 10;
    private static final int FIRST_NUMBER = 1_000_000;
    private static final Duration SLACK = Duration.ofDays(1);
    /** Long enough that some of any drawn datasets lose buckets, and few lose all. */
    private static final Duration LATER = Duration.ofDays(16);
    LocalAws aws;

    private final GatherClient client = new GatherClient();

    @Test
    @Order(2)
    void everyQuestionIsAnsweredAsByAModelThatForgets() throws InterruptedException, ExecutionException {
        RandomGenerator random = World.random(6);
        ExecutorService threads = Executors.newFixedThreadPool(Questions.AT_A_TIME);
        Questions questions = new Questions(client, World.FORGETFUL, ForgetfulProfile.NOW::get);
        List<String> wrong = new ArrayList<>();
        try {
            for (int time = 0; time < TIMES; time++) {
                // Given
                ForgetfulProfile.NOW.updateAndGet(now -> now.plusSeconds(random.nextLong(3 * 86_400)));
                deleteExpired(random);

                // When
                for (String failure : questions.ask(threads, FIRST_NUMBER + time * QUESTIONS / TIMES,
                        FIRST_NUMBER + (time + 1) * QUESTIONS / TIMES, true)) {
                    wrong.add("at " + ForgetfulProfile.NOW.get() + " " + failure);
                }
            }
        } finally {
            threads.shutdownNow();
        }

        // Then
        assertThat(wrong).isEmpty();
    }

    /** The cursor holds the range of the first page, and items are kept a day longer than first pages read them. */
    @Test
    @Order(1)
    void aWalkHasEveryBucketThatExistedWhenItBeganOnce() {
        RandomGenerator random = World.random(7);
        for (ModelDataset dataset : World.FORGETFUL) {
            String granularity = dataset.index().get(0);
            ForgetfulProfile.NOW.set(ForgetfulProfile.BEGIN.plusSeconds(random.nextLong(20 * 86_400)));
            ModelRange kept = dataset.retention().cut(granularity, ModelRange.ALL, ForgetfulProfile.NOW.get());
            List<String> expected = new ReferenceModel(dataset, "default").buckets(granularity, kept, false, LabelFilter.NONE);
            Query query = Query.of(dataset.name() + "/buckets", "granularity", granularity, "limit",
                    Integer.toString(1 + expected.size() / 6), "timeout", "30s");

            List<String> walked = new ArrayList<>();
            String cursor = "";
            for (int page = 0; cursor != null; page++) {
                Response answer = client.answered(page == 0 ? query : query.with("cursor", cursor));
                walked.addAll(answer.rows(dataset.measures()));
                cursor = answer.next().orElse(null);
                ForgetfulProfile.NOW.updateAndGet(now -> now.plus(SLACK.dividedBy(8)));
                assertExpired(answer.json(), dataset, granularity, kept);
            }

            assertThat(walked).as(dataset.name()).isEqualTo(expected);
        }
    }

    /** Whether or not DynamoDB has deleted the buckets that have expired since. */
    @Test
    @Order(1)
    void aPageAskedForDaysLaterBeginsAtTheHorizon() {
        int later = 0;
        for (ModelDataset dataset : World.FORGETFUL) {
            for (LabelFilter filter : List.of(LabelFilter.NONE, new LabelFilter(dataset.of("default").get(0).label(), null))) {
                String granularity = dataset.stored(filter).get(0);
                // Given
                ForgetfulProfile.NOW.set(ForgetfulProfile.BEGIN);
                List<String> all = rows(dataset, granularity, filter, Duration.ZERO);
                Query query = Query.of(dataset, "buckets", new GeneratedRange(List.of(), now -> ModelRange.ALL), filter)
                        .with("granularity", granularity);
                Response first = client.answered(query.with("limit", "1"));
                if (first.next().isEmpty()) {
                    continue;
                }

                // When
                ForgetfulProfile.NOW.set(ForgetfulProfile.BEGIN.plus(LATER));
                Response second = client.answered(query.with("limit", "10000", "cursor", first.next().get()));

                // Then
                List<String> expected = rows(dataset, granularity, filter, LATER.minus(SLACK));
                assertThat(second.rows(dataset.measures())).as("%s", query)
                        .isEqualTo(expected.equals(all) ? all.subList(1, all.size()) : expected);
                later += expected.equals(all) ? 0 : 1;
            }
        }
        assertThat(later).as("walks that lost buckets").isGreaterThan(1);
    }

    private static List<String> rows(ModelDataset dataset, String granularity, LabelFilter filter, Duration later) {
        ModelRange kept = dataset.retention().cut(granularity, ModelRange.ALL, ForgetfulProfile.BEGIN.plus(later));
        return new ReferenceModel(dataset, "default").buckets(granularity, kept, false, filter);
    }

    @Test
    @Order(0)
    void retentionIsShownAndExplained() {
        ModelDataset dataset = World.FORGETFUL.stream().filter(any -> !any.retention().isForEver()).findFirst().orElseThrow();
        String granularity = dataset.granularities().get(0);
        ForgetfulProfile.NOW.set(ForgetfulProfile.BEGIN);

        JsonNode datasets = client.declared();
        JsonNode answer = client.answered(Query.of(dataset.name() + "/series", "granularity", dataset.index().get(0), "explain",
                "true")).json();

        JsonNode shown = StreamSupport.stream(datasets.get("items").spliterator(), false)
                .filter(item -> item.get("name").asText().equals(dataset.name())).findFirst().orElseThrow();
        assertThat(shown.get("retention").has(granularity)).isTrue();
        assertThat(answer.at("/explain/horizons")).hasSize(dataset.retention().kept().size());
        assertThat(answer.at("/explain/horizons/0/granularity").asText()).isEqualTo(granularity);
        assertThat(Instant.parse(answer.at("/explain/horizons/0/from").asText()))
                .isEqualTo(dataset.retention().horizon(granularity, ForgetfulProfile.BEGIN));
    }

    private static void assertExpired(JsonNode answer, ModelDataset dataset, String granularity, ModelRange kept) {
        assertThat(answer.get("complete").asBoolean()).isTrue();
        boolean forgets = dataset.retention().kept().containsKey(granularity);
        assertThat(answer.get("warnings")).as(dataset.name()).hasSize(forgets ? 1 : 0);
        if (forgets) {
            assertThat(answer.at("/warnings/0/reason").asText()).isEqualTo("expired");
            assertThat(answer.at("/warnings/0/granularity").asText()).isEqualTo(granularity);
            assertThat(Instant.parse(answer.at("/warnings/0/before").asText())).isBeforeOrEqualTo(kept.from());
        }
    }

    private void deleteExpired(RandomGenerator random) {
        Map<String, AttributeValue> from = new HashMap<>();
        do {
            @Nullable
            Map<String, AttributeValue> start = from.isEmpty() ? null : from;
            ScanResponse page = aws.dynamoDb().scan(scan -> scan.tableName(aws.tableName())
                    .projectionExpression("pk, sk").exclusiveStartKey(start)).join();
            for (Map<String, AttributeValue> key : page.items()) {
                if (isExpired(key, random)) {
                    aws.dynamoDb().deleteItem(delete -> delete.tableName(aws.tableName()).key(key)).join();
                }
            }
            from = page.lastEvaluatedKey();
        } while (!from.isEmpty());
    }

    private static boolean isExpired(Map<String, AttributeValue> key, RandomGenerator random) {
        String partitionKey = key.get(TableSchema.PK).s();
        if (partitionKey.startsWith("~")) {
            return false;
        }
        BucketKey bucket = BucketKey.ofTableKeys(partitionKey, key.get(TableSchema.SK).s());
        String granularity = bucket.granularity().name();
        ModelDataset dataset = World.FORGETFUL.stream()
                .filter(any -> any.name().equals(bucket.series().dataset())).findFirst().orElseThrow();
        Duration span = dataset.retention().kept().get(granularity);
        boolean deletes = switch (World.FORGETFUL.indexOf(dataset) % 3) {
            case 0 -> true;
            case 1 -> false;
            default -> random.nextBoolean();
        };
        return span != null && deletes
                && !ModelCalendar.next(granularity, ZoneOffset.UTC, bucket.start()).plus(span).plus(SLACK)
                        .isAfter(ForgetfulProfile.NOW.get());
    }

    /**
     * Each step of a range query equals an instant query at its time, though older steps are read from coarser buckets. Runs
     * first, because other tests delete items that have expired by their time.
     */
    @Test
    @Tag("prometheus")
    @Order(0)
    void everyQuestionInPromQlIsAnsweredAsByAModelThatForgets() {
        RandomGenerator random = World.random(8);
        List<String> wrong = new ArrayList<>();
        ForgetfulProfile.NOW.set(ForgetfulProfile.BEGIN);
        for (int time = 0; time < PROMQL_TIMES; time++) {
            ForgetfulProfile.NOW.updateAndGet(now -> now.plusSeconds(random.nextLong(8 * 86_400)));
            int from = FIRST_NUMBER + time * PROMQL_QUESTIONS / PROMQL_TIMES;
            for (String failure : PrometheusModelTest.wrong(client, from, from + PROMQL_QUESTIONS / PROMQL_TIMES,
                    ForgetfulProfile.NOW.get(), World.FORGETFUL)) {
                wrong.add("at " + ForgetfulProfile.NOW.get() + " " + failure);
            }
        }
        assertThat(wrong).isEmpty();
    }
}
