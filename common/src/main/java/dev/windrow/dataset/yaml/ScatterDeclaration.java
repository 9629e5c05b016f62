package dev.windrow.dataset.yaml;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.windrow.scatter.Scatter;
import dev.windrow.scatter.ScatterStrategy;
import dev.windrow.scatter.WidthEpoch;

/** Reads the width epochs of a dataset. */
final class ScatterDeclaration {

    private static final int DEFAULT_WIDTH = 10;

    private final List<WidthEpoch> epochs = new ArrayList<>();

    private ScatterDeclaration() {
    }

    /** The scatter, of one epoch with the default width if none is declared; empty if there is no epoch without a problem. */
    static Optional<Scatter> read(ScatterStrategy strategy, YamlField list) {
        if (list.isAbsent()) {
            return Optional.of(new Scatter(strategy, List.of(new WidthEpoch(Instant.EPOCH, DEFAULT_WIDTH))));
        }
        ScatterDeclaration declaration = new ScatterDeclaration();
        list.requiredElements().forEach(declaration::addEpoch);
        return declaration.epochs.isEmpty() ? Optional.empty() : Optional.of(new Scatter(strategy, declaration.epochs));
    }

    private void addEpoch(YamlField field) {
        field.requireKnownFields("from", "width");
        YamlField width = field.field("width");
        if (width.isAbsent()) {
            width.problem("expected a whole number from 1 to " + WidthEpoch.WIDEST + ", found nothing");
            return;
        }
        int shards = width.integer(1, WidthEpoch.WIDEST, 1);
        start(field.field("from")).ifPresent(from -> epochs.add(new WidthEpoch(from, shards)));
    }

    /** When an epoch starts: the first one may omit it. */
    private Optional<Instant> start(YamlField field) {
        if (field.isAbsent() && epochs.isEmpty()) {
            return Optional.of(Instant.EPOCH);
        }
        Optional<Instant> from = field.parsed(DatasetDeclaration::wholeSecond, DatasetDeclaration.WHOLE_SECOND_EXPECTED);
        if (from.isPresent() && !epochs.isEmpty() && !epochs.get(epochs.size() - 1).from().isBefore(from.get())) {
            field.problem("expected a later time than the epoch before has");
            return Optional.empty();
        }
        return from;
    }
}
