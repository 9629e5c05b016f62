package dev.windrow.dataset.yaml;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.windrow.measure.Measure;
import dev.windrow.measure.MeasureKind;

/** Reads one measure of a dataset. */
final class MeasureDeclaration {

    private static final int MAX_MEASURES = 50;

    private final String name;
    private final YamlField yaml;

    private MeasureDeclaration(String name, YamlField yaml) {
        this.name = name;
        this.yaml = yaml;
    }

    /** All measures of a dataset, without those of which a problem was noted. */
    static List<Measure> read(YamlField list) {
        List<Measure> measures = new ArrayList<>();
        Map<String, YamlField> entries = list.requiredEntries();
        entries.forEach((name, field) -> new MeasureDeclaration(name, field).read().ifPresent(measures::add));
        if (entries.size() > MAX_MEASURES) {
            list.problem("expected at most " + MAX_MEASURES + ", found " + entries.size());
        }
        return measures;
    }

    private Optional<Measure> read() {
        DatasetDeclaration.requireName(yaml, name);
        yaml.requireKnownFields("type", "attribute", "floor");
        return yaml.field("type").parsed(MeasureKind::parse, "one of count, sum, min, max, first, last")
                .flatMap(kind -> hasFloor(kind).flatMap(floored -> measure(kind, floored)));
    }

    /** Whether the measure is shown as zero at least; empty if its kind cannot be. */
    private Optional<Boolean> hasFloor(MeasureKind kind) {
        YamlField floor = yaml.field("floor");
        if (floor.isAbsent()) {
            return Optional.of(false);
        }
        if (!kind.isAdditive()) {
            floor.problem("expected only with count and sum");
            return Optional.empty();
        }
        floor.integer(0, 0, 0);
        return Optional.of(true);
    }

    private Optional<Measure> measure(MeasureKind kind, boolean floored) {
        YamlField attribute = yaml.field("attribute");
        if (kind != MeasureKind.COUNT) {
            return attribute.parsed(DatasetDeclaration::shortText, "the name of an event attribute")
                    .map(source -> new Measure(name, kind, source, floored));
        }
        if (!attribute.isAbsent()) {
            attribute.problem("expected no attribute, as a count counts events");
            return Optional.empty();
        }
        return Optional.of(new Measure(name, kind, null, floored));
    }
}
