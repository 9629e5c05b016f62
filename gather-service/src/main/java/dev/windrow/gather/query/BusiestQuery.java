package dev.windrow.gather.query;

import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;

import dev.windrow.dataset.Granularity;
import dev.windrow.dataset.Measure;

/**
 * The busiest buckets of a range, all labels together.
 *
 * @param scope whose
 * @param granularity of the buckets; indexed, or any if the labels are read from the table
 * @param by the measure to order by
 * @param n how many
 * @param profile to lay days or weeks over each other instead
 * @param zone of the profile
 * @param range aligned to the granularity
 * @param selection which labels
 * @param options how to read
 */
public record BusiestQuery(DatasetScope scope, Granularity granularity, Measure by, int n, Optional<Profile> profile,
        ZoneId zone,
        TimeRange range, LabelSelection selection, QueryOptions options) implements RangeQuery, SumQuery {

    /** Reads the parameters. */
    public static BusiestQuery of(DatasetScope scope, Parameters parameters, QueryContext context) {
        Optional<Profile> profile = parameters.choice(QueryParameter.PROFILE, Profile.values());
        ZoneId zone = context.times(parameters).zone();
        if (profile.isEmpty() && parameters.has(QueryParameter.TZ)) {
            throw Parameters.invalid(QueryParameter.TZ, "expected only with profile, as single buckets are those of UTC");
        }
        TimeRange requested = context.times(parameters).range();
        LabelSelection selection = scope.selection(parameters);
        List<Granularity> possible = scope.stored(selection).stream()
                .filter(granularity -> profile.isEmpty() || granularity.nestsIn(profile.get().coarsest())).toList();
        boolean chosen = parameters.text(QueryParameter.GRANULARITY).isPresent() || profile.isEmpty();
        Granularity granularity = chosen || possible.isEmpty()
                ? scope.granularity(parameters, possible, (selection.isInTable() ? "that are stored" : "that are indexed")
                        + (profile.isPresent() ? " and fine enough for the profile" : ""))
                : coarsestInZone(possible, zone, requested);
        TimeRange range = requested.alignedTo(granularity);
        if (profile.isPresent() && !ZonedBuckets.fits(granularity, zone, range, profile.get().coarsest())) {
            throw Parameters.invalid(QueryParameter.TZ, "expected a zone whose hours and days begin with a bucket of "
                    + granularity + "; a finer granularity would do");
        }
        return new BusiestQuery(scope, granularity, scope.by(parameters), TopQuery.n(parameters, context), profile, zone,
                range, selection, QueryOptions.of(parameters, context));
    }

    private static Granularity coarsestInZone(List<Granularity> possible, ZoneId zone, TimeRange requested) {
        for (int i = possible.size() - 1; i > 0; i--) {
            if (ZonedBuckets.fits(possible.get(i), zone, requested.alignedTo(possible.get(i)), possible.get(i))) {
                return possible.get(i);
            }
        }
        return possible.get(0);
    }

    /** A profile is the same whichever granularity it is computed from. */
    @Override
    public List<Object> summed() {
        return profile.isPresent() ? List.of(range) : List.of(range, granularity);
    }

    @Override
    public Instant earliestStart() {
        return range.from();
    }

    @Override
    public List<QueryPlan> plans() {
        return List.of(plan());
    }

    /** The reads: of finer buckets where those of the granularity lag. */
    public QueryPlan plan() {
        return new SelectionPlanner(scope, selection, options)
                .tiled(scope.stored(selection).stream().filter(finer -> finer.nestsIn(granularity)).toList(), range);
    }
}
