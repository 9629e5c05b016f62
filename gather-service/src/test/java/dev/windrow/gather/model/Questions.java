package dev.windrow.gather.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

import com.fasterxml.jackson.databind.JsonNode;

/** Asks the service and the model the same questions and compares the answers. */
final class Questions {

    static final int AT_A_TIME = 4;
    private static final int MAX_PAGES = 6;
    private static final int MAX_RANKED_PAGES = 20;

    private final GatherClient client;
    private final List<ModelDataset> world;
    private final Supplier<Instant> now;

    Questions(GatherClient client, List<ModelDataset> world, Supplier<Instant> now) {
        this.client = client;
        this.world = world;
        this.now = now;
    }

    /**
     * Asks a range of numbered questions, some at a time.
     *
     * @param lateRanks whether leaderboards that were declared late are complete
     * @return the errors in the answers
     */
    List<String> ask(ExecutorService threads, int from, int to, boolean lateRanks)
            throws InterruptedException, ExecutionException {
        List<Future<Optional<String>>> asked = new ArrayList<>();
        for (int i = from; i < to; i++) {
            int number = i;
            asked.add(threads.submit(() -> ask(number, lateRanks)));
        }
        List<String> wrong = new ArrayList<>();
        for (Future<Optional<String>> answer : asked) {
            answer.get().ifPresent(wrong::add);
        }
        return wrong;
    }

    private Optional<String> ask(int number, boolean lateRanks) {
        RandomGenerator random = World.random(1_000 + number);
        GeneratedQuery question = new QueryGenerator(random, now.get(), lateRanks, world).draw();
        try {
            check(question, random);
            return Optional.empty();
        } catch (AssertionError | RuntimeException failure) {
            return Optional.of("question " + number + " of -Dwindrow.seed=" + World.SEED + ": " + question.query() + "\n"
                    + failure + "\n");
        }
    }

    /** Reports only the first difference, because lists are long. */
    private static void assertRows(List<String> answered, List<String> expected) {
        for (int i = 0; i < Math.min(answered.size(), expected.size()); i++) {
            assertThat(answered.get(i)).as("row %d", i).isEqualTo(expected.get(i));
        }
        assertThat(answered.size()).as("rows").isEqualTo(expected.size());
    }

    /** The service's now was in any second between its read of the lanes and the answer. */
    private void assertRows(List<String> answered, GeneratedQuery question, Instant asOf) {
        Instant end = now.get();
        List<String> expected = question.expected().apply(end);
        for (Instant at = asOf; !answered.equals(expected) && at.isBefore(end); at = at.plusSeconds(1)) {
            expected = question.expected().apply(at);
        }
        assertRows(answered, expected);
    }

    private void check(GeneratedQuery question, RandomGenerator random) {
        if (question.reason().isPresent()) {
            Response refusal = client.get(question.query());
            assertThat(refusal.status()).as(refusal.toString()).isEqualTo(400);
            assertThat(refusal.reason()).isEqualTo(question.reason().get());
        } else if (question.hasPages() && random.nextInt(4) > 0) {
            checkPages(question, random.nextInt(1, random.nextBoolean() ? 80 : 6));
        } else if (question.isList() && question.isRanked() == null && random.nextInt(3) == 0) {
            checkLines(question.kind() == GeneratedQuery.Kind.TOP_PAGES ? question.inOnePage() : question, random);
        } else {
            checkOnce(question.inOnePage(), random);
        }
    }

    /** Reads some pages: each is full except the last, and together they are the beginning of the answer. */
    private void checkPages(GeneratedQuery question, int limit) {
        int maxPages = question.isRanked() == null ? MAX_PAGES : MAX_RANKED_PAGES;
        Query query = question.inPagesOf(limit);
        Response first = client.answered(query);
        GeneratedQuery beginning = question.firstOf(maxPages * limit);

        List<List<String>> pages = client.walk(query, first, question.dataset().measures(), maxPages);

        checkSource(question, first.json());
        if (question.kind() == GeneratedQuery.Kind.TOP_PAGES && !question.isRelative()) {
            // A leaderboard does not know it.
            assertThat(first.json().has("groups") || !question.dataset().ranks().isEmpty()).as("has groups").isTrue();
            int groups = question.expected().apply(now.get()).size();
            assertThat(first.json().path("groups").asInt(groups)).as("groups").isEqualTo(groups);
        }
        assertThat(pages.subList(0, pages.size() - 1)).allSatisfy(page -> assertThat(page).hasSize(limit));
        assertRows(pages.stream().flatMap(List::stream).toList(), beginning, first.asOf());
    }

    /** A leaderboard is read if and only if it has all items. */
    private static void checkSource(GeneratedQuery question, JsonNode answer) {
        if (question.isRanked() != null) {
            assertThat(answer.at("/explain/plan/0/source").asText().equals("rank")).as("read from a leaderboard")
                    .isEqualTo(question.isRanked());
        }
    }

    private void checkOnce(GeneratedQuery question, RandomGenerator random) {
        Query query = question.query();
        Response answer = random.nextInt(4) == 0 ? client.post(query, "application/json") : client.get(query);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        JsonNode json = answer.json();
        List<ModelMeasure> measures = question.dataset().measures();
        List<String> rows = switch (question.kind()) {
            case PAGES, TOP_PAGES, LABELLED, UNLABELLED -> answer.rows(measures);
            case TOTALS -> List.of(RowText.of(json, measures));
            case COMPARISON -> ModelComparison.rows(question.dataset(), json);
            case POSITION -> ModelPosition.rows(json);
        };
        assertThat(answer.isComplete()).isTrue();
        checkSource(question, json);
        assertRows(rows, question, answer.asOf());
    }

    private void checkLines(GeneratedQuery question, RandomGenerator random) {
        boolean csv = question.isCheckedAsCsv() && random.nextBoolean();
        Response answer = random.nextInt(4) == 0
                ? client.post(question.query(), csv ? "text/csv" : "application/x-ndjson")
                : client.get(question.query().with("format", csv ? "csv" : "ndjson"));
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        List<ModelMeasure> measures = question.dataset().measures();
        if (csv) {
            List<List<String>> lines = RowText.csv(answer.body());
            List<String> rows = lines.stream().skip(1)
                    .map(line -> RowText.ofCsv(line, question.labelColumns(), question.labelValues(), measures)).toList();
            assertThat(lines.get(0).subList(0, question.labelColumns()))
                    .isEqualTo(question.dataset().label().subList(0, question.labelColumns()));
            assertThat(lines.get(0)).endsWith(measures.stream().map(ModelMeasure::name).toArray(String[]::new));
            assertRows(rows, question.expected().apply(Instant.EPOCH).stream()
                    .map(row -> row.replace("=null", "=" + RowText.ABSENT).replace(RowText.PARTIAL, "")).toList());
            return;
        }
        List<JsonNode> lines = answer.lines();
        JsonNode end = lines.get(lines.size() - 1).get("end");
        assertThat(end.get("complete").asBoolean()).isTrue();
        assertRows(lines.subList(0, lines.size() - 1).stream().map(line -> ModelComparison.group(line, measures)).toList(),
                question, Instant.parse(end.get("asOf").asText()));
    }
}
