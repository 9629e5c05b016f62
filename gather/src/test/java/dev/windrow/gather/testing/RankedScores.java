package dev.windrow.gather.testing;

import java.util.List;
import java.util.Map;

import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.DatasetsYaml;
import dev.windrow.dataset.Rank;
import dev.windrow.gather.read.ItemReader;
import dev.windrow.table.TableSchema;

/** A dataset with a leaderboard, and its entry in the table's registry. */
public final class RankedScores {

    public static final Datasets DATASETS = DatasetsYaml.parse("test", """
            windrow:
              datasets:
                scores:
                  event-type: score
                  label: [game, user]
                  granularities: [day]
                  index: [day]
                  measures:
                    best: {type: max, attribute: score}
                  rank:
                    - {by: best, within: [game]}
            """);
    public static final Dataset SCORES = DATASETS.named("scores").orElseThrow();

    private RankedScores() {
    }

    public static ItemReader.Items complete() {
        return registry(Rank.lines(SCORES.ranks()));
    }

    public static ItemReader.Items incomplete() {
        return registry("");
    }

    private static ItemReader.Items registry(String lines) {
        return new ItemReader.Items(List.of(Map.of(TableSchema.rankedAttribute("scores"), lines)), 0.5);
    }
}
