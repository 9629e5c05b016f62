package dev.windrow.bench.experiment;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.windrow.bench.page.Section.Found;
import dev.windrow.bench.page.Section.Target;
import dev.windrow.bench.server.DynamoDbServer;

/** What a leaderboard saves: the top of a million labels. */
final class Ranked implements Experiment {

    private static final int REFERRERS = 10_000;
    private static final int WARM_UP_SECONDS = 60;
    private static final ObjectMapper JSON = new ObjectMapper();

    /** What a query read from where, in read units; the median of its time and the gatherer's processor time, in ms. */
    private record Cost(String source, double units, double millis, double cpu, JsonNode items) {

        List<Object> row(String what) {
            return List.of(what, source, units, millis, cpu);
        }
    }

    @Override
    public Found run(Lab lab) {
        RankedItems items = new RankedItems(lab.amount(REFERRERS));
        DynamoDbServer table = DynamoDbServer.start(lab.vertx());
        items.recordTo(table);
        // The sums of a million labels take more memory than other queries.
        try (GatherStage stage = new GatherStage(lab, table, RankedItems.DATASETS,
                List.of("-Xmx4g", "-Dwindrow.gather.api.max-timeout=2m"))) {
            String top = "top?by=events&n=10&timeout=PT2M&" + RankedItems.RANGE;
            Cost ranked = cost(lab, stage, top, "rank", 500);
            Cost all = cost(lab, stage, top + "&order=magnitude", "index", 1);
            requireSame(ranked, all);
            return Found.of(List.of("top 10 of", "read from", "read units", "median ms", "ms of CPU"),
                    List.of(ranked.row("all labels"), all.row("all labels")),
                    List.of(Target.atMost("ranked.units", "read units, top 10 of a million labels by a ranked measure",
                            ranked.units(), 20),
                            Target.atMost("ranked.cpu", "ms of CPU, top 10 of a million labels by a ranked measure",
                                    ranked.cpu(), 5),
                            Target.atMost("ranked.all.cpu", "CPU of that over CPU of reading all labels",
                                    ranked.cpu() / all.cpu(), 0.01)));
        }
    }

    private static Cost cost(Lab lab, GatherStage stage, String query, String source, int times) {
        JsonNode answer = answer(stage, query);
        if (!answer.at("/explain/plan/0/source").asText().equals(source)) {
            throw new IllegalStateException("expected to be read from " + source + ", found " + answer);
        }
        GatherWay way = stage.way(source, GatherStage.question(RankedItems.RANKED, query), times);
        way.warmUp(lab.seconds(WARM_UP_SECONDS));
        double before = stage.dynamoDb().meter().read().readUnits();
        way.rounds(lab.rounds());
        double units = (stage.dynamoDb().meter().read().readUnits() - before) / (times * lab.rounds());
        lab.progress("from %s: %.1f units, %.1f ms of CPU", source, units, way.cpu());
        return new Cost(source, units, way.median(), way.cpu(), answer.path("items"));
    }

    private static JsonNode answer(GatherStage stage, String query) {
        try {
            return JSON.readTree(Http.get(stage.uri(GatherStage.question(RankedItems.RANKED, query + "&explain=true"))));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void requireSame(Cost a, Cost b) {
        if (a.items().size() != 10 || !a.items().equals(b.items())) {
            throw new IllegalStateException("expected the same ten, found " + a + " and " + b);
        }
    }
}
