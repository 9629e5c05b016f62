package dev.windrow.gather.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import com.fasterxml.jackson.databind.JsonNode;

import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Datasets;
import dev.windrow.local.LocalAws;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;

/** Pages through items while others are added and changed: no item that existed before is lost or repeated. */
@QuarkusTest
@Tag("slow")
@TestProfile(ModelProfile.class)
class PagingWhileWritingTest {

    /** Used by these tests only, so that other tests find the model's data. */
    private static final String TENANT = "walked-";

    @Inject
    Datasets declared;

    LocalAws aws;

    @ParameterizedTest
    @CsvSource({ "changing,asc", "changing,desc", "ten,asc", "grown,desc" })
    void whatWasThereBeforeIsWalkedOverOnce(String name, String order) throws InterruptedException, ExecutionException {
        // Given a dataset with half of its events stored
        String tenant = TENANT + name + "-" + order;
        ModelDataset model = World.dataset(name);
        Dataset dataset = declared.named(name).orElseThrow();
        List<ModelEvent> events = model.of("default");
        List<ModelEvent> before = events.subList(0, events.size() / 2);
        StoredItems.put(aws.dynamoDb(), aws.tableName(), StoredItems.of(dataset, tenant, before, World.random(7)));
        String granularity = model.index().get(0);
        GatherClient client = new GatherClient();
        Query query = Query.of(name + "/buckets", "granularity", granularity, "tenant", tenant, "timeout", "30s");
        Set<String> stayed = new HashSet<>(keys(client.answered(query.with("limit", "10000"))));

        // When pages are read while the other half is written, and the stored half is written again
        AtomicBoolean walking = new AtomicBoolean(true);
        AtomicInteger written = new AtomicInteger();
        ExecutorService writer = Executors.newSingleThreadExecutor();
        CompletableFuture<Void> begun = new CompletableFuture<>();
        CompletableFuture<Void> writes = CompletableFuture.runAsync(
                () -> write(dataset, tenant, events, walking, written, begun), writer);
        List<String> walked = new ArrayList<>();
        try {
            CompletableFuture.anyOf(begun, writes).get();
            Optional<String> next = Optional.of("");
            while (next.isPresent()) {
                Query page = query.with("limit", "5", "order", order);
                Response answer = client.answered(next.get().isEmpty() ? page : page.with("cursor", next.get()));
                walked.addAll(keys(answer));
                next = answer.next();
            }
        } finally {
            walking.set(false);
            writer.shutdown();
        }
        writes.get();

        // Then
        assertThat(written.get()).isPositive();
        assertThat(walked).doesNotHaveDuplicates().containsAll(stayed);
    }

    /** Puts items at random positions as long as paging goes on. */
    private void write(Dataset dataset, String tenant, List<ModelEvent> events, AtomicBoolean walking,
            AtomicInteger written, CompletableFuture<Void> begun) {
        RandomGenerator random = World.random(8);
        while (walking.get()) {
            List<ModelEvent> some = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                some.add(events.get(random.nextInt(events.size())));
            }
            StoredItems.put(aws.dynamoDb(), aws.tableName(), StoredItems.of(dataset, tenant, some, World.random(7)));
            written.incrementAndGet();
            begun.complete(null);
        }
    }

    private static List<String> keys(Response page) {
        List<String> keys = new ArrayList<>();
        for (JsonNode item : page.json().get("items")) {
            keys.add(item.get("start").asText() + " " + item.get("label"));
        }
        return keys;
    }
}
