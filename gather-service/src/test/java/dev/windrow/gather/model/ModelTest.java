package dev.windrow.gather.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Test;

import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Datasets;
import dev.windrow.local.LocalAws;
import dev.windrow.testing.GeneratedCases;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;

/**
 * Random queries, all answered like the model. {@code -Dwindrow.model.questions=N} sets their number, {@code -Dwindrow.seed=N}
 * repeats them.
 */
@QuarkusTest
@TestProfile(ModelProfile.class)
class ModelTest {

    private static final int QUESTIONS = GeneratedCases.count("windrow.model.questions", 40, 600);

    LocalAws aws;

    @Inject
    Datasets datasets;

    private final GatherClient client = new GatherClient();

    @Test
    void everyQuestionIsAnsweredAsTheModelAnswersIt() throws InterruptedException, ExecutionException {
        LateRank late = new LateRank(aws.dynamoDb(), aws.tableName());
        Dataset dataset = datasets.named(World.LATE).orElseThrow();
        ExecutorService threads = Executors.newFixedThreadPool(Questions.AT_A_TIME);
        Questions questions = new Questions(client, World.DATASETS, Instant::now);
        try {
            // Given a dataset whose leaderboards were declared when it already had data
            late.markIncomplete(dataset);
            int before = QUESTIONS / 3;

            // When
            List<String> wrong = new ArrayList<>(questions.ask(threads, 0, before, false));
            late.complete(dataset);
            wrong.addAll(questions.ask(threads, before, QUESTIONS, true));

            // Then
            assertThat(wrong).isEmpty();
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void aPageLongerThanDynamoDbAnswersAtOnceIsWhole() {
        ModelDataset heavy = World.dataset("heavy");
        List<String> expected = new ReferenceModel(heavy, "default").buckets("minute", ModelRange.ALL, false, LabelFilter.NONE);

        Response whole = client.answered(Query.of("heavy/buckets", "limit", "10000", "explain", "true"));
        List<List<String>> pages = client.walk(Query.of("heavy/buckets", "limit", "999"), heavy.measures(), 10);

        assertThat(whole.rows(heavy.measures())).hasSizeGreaterThan(2_000).isEqualTo(expected);
        assertThat(whole.json().at("/explain/pages").asInt()).isGreaterThan(2);
        assertThat(pages.stream().flatMap(List::stream)).containsExactlyElementsOf(expected);
    }
}
