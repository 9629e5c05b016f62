package dev.windrow.gather.answer;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.windrow.gather.merge.Bucket;
import dev.windrow.gather.query.SeriesGroups;
import dev.windrow.gather.query.SeriesQuery;
import dev.windrow.table.Label;

/** Sums buckets into the series of their groups, and those of all other groups into one. */
public final class SeriesGrouping {

    private final SeriesQuery query;
    private final SeriesGroups groups;
    private final Map<Label, SeriesRollup> own = new LinkedHashMap<>();
    private final SeriesRollup rest;

    /** @param own the groups with series of their own, in the order of the answer */
    public SeriesGrouping(SeriesQuery query, SeriesGroups groups, List<Label> own) {
        this.query = query;
        this.groups = groups;
        this.rest = new SeriesRollup(query.buckets());
        own.forEach(group -> this.own.put(group, new SeriesRollup(query.buckets())));
    }

    /**
     * A series of the answer.
     *
     * @param group its group; empty for all others
     * @param rollup its buckets
     */
    public record Member(Optional<Label> group, SeriesRollup rollup) {
    }

    /**
     * Adds a stored bucket.
     *
     * @throws dev.windrow.base.InvalidInputException if a series would have too many buckets
     */
    public void add(Bucket bucket) {
        SeriesRollup rollup = own.get(groups.group(bucket.label()));
        if (rollup == null && !groups.other()) {
            return;
        }
        SeriesRollup into = rollup == null ? rest : rollup;
        into.add(bucket);
        if (into.size() > query.maxPoints()) {
            throw query.tooMany();
        }
    }

    /** The series, that of the others last. */
    public List<Member> members() {
        List<Member> members = new ArrayList<>();
        own.forEach((group, rollup) -> members.add(new Member(Optional.of(group), rollup)));
        if (groups.other()) {
            members.add(new Member(Optional.empty(), rest));
        }
        return members;
    }
}
