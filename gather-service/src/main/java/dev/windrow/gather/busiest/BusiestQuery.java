package dev.windrow.gather.busiest;

import java.time.ZoneId;
import java.util.List;
import java.util.Optional;

import dev.windrow.dataset.Column;
import dev.windrow.gather.label.LabelSelection;
import dev.windrow.gather.parameter.Parameters;
import dev.windrow.gather.parameter.QueryParameter;
import dev.windrow.gather.plan.DatasetScope;
import dev.windrow.gather.plan.Planner;
import dev.windrow.gather.plan.QueryContext;
import dev.windrow.gather.plan.QueryOptions;
import dev.windrow.gather.plan.QueryPlan;
import dev.windrow.gather.plan.RangeSum;
import dev.windrow.gather.plan.ZonedSources;
import dev.windrow.gather.range.Horizons;
import dev.windrow.gather.range.SumRange;
import dev.windrow.gather.range.SummedRange;
import dev.windrow.gather.range.TimeParameters;
import dev.windrow.gather.range.TimeRange;
import dev.windrow.gather.range.ZonedBuckets;
import dev.windrow.gather.top.TopQuery;
import dev.windrow.time.Granularity;

/**
 * The busiest buckets of a range, over all labels together.
 *
 * @param granularity of the buckets; indexed, or any if the labels are read from the table
 * @param profile the profile to compute instead, which overlays days or weeks
 * @param zone the zone of the day boundaries and of the profile
 * @param source the coarsest stored granularity that the buckets or the profile are summed up from
 * @param range aligned to the granularity, in the zone; that of a profile to the finest granularity that can answer
 * @param read the range to read for it
 */
public record BusiestQuery(DatasetScope scope, Granularity granularity, Column by, int n, Optional<Profile> profile,
        ZoneId zone, Granularity source, TimeRange range, SumRange read, LabelSelection selection,
        QueryOptions options) implements RangeSum {

    public static BusiestQuery of(DatasetScope scope, Parameters parameters, QueryContext context) {
        Optional<Profile> profile = parameters.choice(QueryParameter.PROFILE, Profile.values());
        TimeParameters times = context.times(parameters);
        ZoneId zone = times.zone();
        TimeRange requested = times.range();
        LabelSelection selection = scope.selection(parameters);
        if (profile.isEmpty()) {
            return ofBuckets(scope, parameters, context, zone, selection);
        }
        List<Granularity> possible = scope.stored(selection).stream()
                .filter(granularity -> granularity.nestsIn(profile.get().coarsest())).toList();
        boolean chosen = parameters.text(QueryParameter.GRANULARITY).isPresent();
        Granularity granularity = chosen || possible.isEmpty()
                ? scope.granularity(parameters, possible, (selection.isInTable() ? "that are stored" : "that are indexed")
                        + " and fine enough for the profile")
                : possible.get(0);
        Horizons horizons = context.horizons(scope);
        List<Granularity> fitting = (chosen ? List.of(granularity) : possible).stream().filter(any -> ZonedBuckets.fits(any,
                zone, horizons.cut(any, requested.alignedTo(any)), profile.get().coarsest())).toList();
        if (fitting.isEmpty()) {
            throw Parameters.invalid(QueryParameter.TZ, "its hours and days do not begin with a bucket of "
                    + granularity + ": choose another zone, or a finer granularity");
        }
        SummedRange summed = scope.summed(fitting, times, horizons);
        Granularity source = fitting.get(fitting.size() - 1);
        return new BusiestQuery(scope, granularity, scope.by(parameters), TopQuery.n(parameters, context), profile, zone,
                source, summed.range(), SumRange.of(summed, times), selection,
                QueryOptions.of(parameters, context, summed.horizons()));
    }

    /** Returns the query for buckets, which are summed up from stored ones. */
    private static BusiestQuery ofBuckets(DatasetScope scope, Parameters parameters, QueryContext context, ZoneId zone,
            LabelSelection selection) {
        List<Granularity> stored = scope.stored(selection);
        Granularity granularity = parameters.parsed(QueryParameter.GRANULARITY, Granularity::parse, Granularity.EXPECTED)
                .orElseGet(() -> scope.granularity(parameters, stored, "that can answer"));
        ZonedBuckets buckets = new ZonedBuckets(granularity, zone);
        Horizons horizons = context.horizons(scope);
        ZonedSources sources = new ZonedSources(buckets, stored, horizons);
        TimeParameters times = context.times(parameters);
        TimeRange whole = SummedRange.whole(buckets, times);
        Granularity source = sources.of(buckets.read(whole));
        TimeRange range = sources.kept(source, whole);
        Horizons noted = !range.equals(whole) ? horizons.noting(source)
                : SummedRange.isRounded(times.range(), whole, times) ? horizons.rounding(whole) : horizons;
        return new BusiestQuery(scope, granularity, scope.by(parameters), TopQuery.n(parameters, context), Optional.empty(),
                zone, source, range, SumRange.of(buckets.read(range).alignedTo(source)), selection,
                QueryOptions.of(parameters, context, noted));
    }

    ZonedBuckets buckets() {
        return new ZonedBuckets(granularity, zone);
    }

    @Override
    public TimeRange latestRange() {
        return read.whole();
    }

    /** A profile is the same whichever granularity it is computed from. */
    @Override
    public List<Object> summed() {
        return profile.isPresent() ? List.of(range) : List.of(range, granularity);
    }

    /** Returns the reads; of finer buckets where those of the granularity lag. */
    @Override
    public QueryPlan plan() {
        return new Planner(scope, selection, options)
                .tiled(scope.stored(selection).stream().filter(finer -> finer.nestsIn(source)).toList(), read);
    }

}
