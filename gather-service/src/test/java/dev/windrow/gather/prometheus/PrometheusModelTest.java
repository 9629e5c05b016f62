package dev.windrow.gather.prometheus;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.JsonNode;

import dev.windrow.gather.model.GatherClient;
import dev.windrow.gather.model.ModelDataset;
import dev.windrow.gather.model.ModelProfile;
import dev.windrow.gather.model.Response;
import dev.windrow.gather.model.World;
import dev.windrow.testing.GeneratedCases;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;

/** Random PromQL queries, all answered like the model; {@code -Dwindrow.prometheus.questions=N} sets their number. */
@QuarkusTest
@TestProfile(ModelProfile.class)
@Tag("prometheus")
public class PrometheusModelTest {

    private static final int QUESTIONS = GeneratedCases.count("windrow.prometheus.questions", 40, 400);

    @Test
    void everyQuestionIsAnsweredAsTheModelAnswersIt() {
        assertThat(wrong(new GatherClient(), 0, QUESTIONS, Instant.now(), World.DATASETS)).isEmpty();
    }

    public static List<String> wrong(GatherClient client, int from, int to, Instant now, List<ModelDataset> world) {
        List<String> wrong = new ArrayList<>();
        int values = 0;
        for (int i = from; i < to && wrong.size() < 3; i++) {
            RandomGenerator random = World.random(5_000_000 + i);
            PromQuestion question = new PromQuestionGenerator(random, now, world).draw();
            List<String> expected = question.expected();
            Response answer = client.prometheus(random.nextBoolean() && question.count() == 1 ? "query" : "query_range", Map.of(
                    "query", question.text(), "tenant", question.tenant(), "start", question.start().toString(), "time",
                    question.start().toString(), "end",
                    question.start().plus(question.step().multipliedBy(question.count() - 1L)).toString(), "step",
                    question.step().toSeconds() + "s"));
            List<String> answered = answer.status() == 200 ? series(answer.json()) : List.of(answer.toString());
            values += expected.size();
            if (!answered.equals(expected)) {
                wrong.add("question " + i + " of -Dwindrow.seed=" + World.SEED + ": " + question.text() + " at "
                        + question.start() + " " + question.step() + " " + question.count() + " of " + question.tenant()
                        + "\nexpected " + expected + "\nfound    " + answered + "\nin " + answer);
            }
        }
        assertThat(values).as("series compared").isPositive();
        return wrong;
    }

    private static List<String> series(JsonNode json) {
        List<List<String>> labels = new ArrayList<>();
        Map<List<String>, String> texts = new HashMap<>();
        json.at("/data/result").forEach(series -> {
            List<String> own = new ArrayList<>();
            new TreeMap<>(Response.texts(series.get("metric"))).forEach((name, value) -> own.addAll(List.of(name, value)));
            Map<Long, String> values = new TreeMap<>();
            (series.has("value") ? List.of(series.get("value")) : series.get("values")).forEach(sample -> values
                    .put(sample.get(0).decimalValue().multiply(BigDecimal.valueOf(1_000)).longValueExact(),
                            sample.get(1).asText()));
            labels.add(own);
            texts.put(own, own + " " + values);
        });
        return List.copyOf(labels.stream().sorted(PromQuestion.LABELS).map(texts::get).toList());
    }
}
