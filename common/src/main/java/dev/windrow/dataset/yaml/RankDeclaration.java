package dev.windrow.dataset.yaml;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Rank;
import dev.windrow.measure.Measure;
import dev.windrow.time.Granularity;

/** Reads the leaderboards of a dataset. */
final class RankDeclaration {

    private final Dataset dataset;
    private final YamlField list;

    private RankDeclaration(Dataset dataset, YamlField list) {
        this.dataset = dataset;
        this.list = list;
    }

    /** @param dataset what else is declared */
    static List<Rank> read(Dataset dataset, YamlField list) {
        return list.isAbsent() ? List.of() : new RankDeclaration(dataset, list).read();
    }

    private List<Rank> read() {
        if (dataset.keyShards() > 1) {
            list.problem("expected only with key-shards: 1, as a leaderboard needs the whole value in one item");
        }
        if (dataset.index().isEmpty()) {
            list.problem("expected only with an index, which answers queries until the leaderboard is complete");
        }
        List<Rank> ranks = new ArrayList<>();
        Set<String> measures = new HashSet<>();
        for (YamlField element : list.requiredElements()) {
            rank(element).ifPresent(rank -> {
                if (!measures.add(rank.by())) {
                    element.field("by").problem("expected each measure once, found '" + rank.by() + "' again");
                }
                ranks.add(rank);
            });
        }
        return ranks;
    }

    private Optional<Rank> rank(YamlField field) {
        field.requireKnownFields("by", "within", "width", "granularities");
        String names = dataset.measures().stream().map(Measure::name).collect(Collectors.joining(", "));
        Optional<Measure> by = field.field("by").parsed(dataset::measure, "one of the measures " + names);
        int width = field.field("width").integer(1, Rank.MAX_WIDTH, 1);
        List<String> within = within(field.field("within"));
        List<Granularity> granularities = granularities(field.field("granularities"));
        return by.map(measure -> new Rank(measure.name(), within, width, granularities));
    }

    private List<String> within(YamlField field) {
        List<String> within = new ArrayList<>();
        field.elements().forEach(element -> element
                .parsed(DatasetDeclaration::shortText, "the name of an attribute of the label").ifPresent(within::add));
        List<String> label = dataset.label();
        if (within.size() >= label.size() || !label.subList(0, within.size()).equals(within)) {
            field.problem("expected the first attributes of the label (" + String.join(", ", label)
                    + "), in their order and not all of them, found " + within);
            return List.of();
        }
        return within;
    }

    private List<Granularity> granularities(YamlField field) {
        if (field.isAbsent()) {
            return dataset.index();
        }
        List<Granularity> granularities = new ArrayList<>();
        for (YamlField element : field.requiredElements()) {
            element.parsed(Granularity::parse, Granularity.EXPECTED).ifPresent(granularity -> {
                if (!dataset.isIndexed(granularity)) {
                    element.problem("expected only granularities that are indexed, found " + granularity);
                } else if (granularities.contains(granularity)) {
                    element.problem("expected each granularity once, found " + granularity + " again");
                }
                granularities.add(granularity);
            });
        }
        return granularities;
    }
}
