package dev.windrow.gather.busiest;

import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.stream.IntStream;

import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;

import org.eclipse.microprofile.openapi.annotations.Operation;
import org.jboss.resteasy.reactive.RestMulti;

import dev.windrow.gather.fanout.GatherOrder;
import dev.windrow.gather.fanout.GatherRequest;
import dev.windrow.gather.fanout.Gatherer;
import dev.windrow.gather.parameter.QueryKind;
import dev.windrow.gather.plan.Bucket;
import dev.windrow.gather.plan.MeasureValues;
import dev.windrow.gather.render.BucketView;
import dev.windrow.gather.render.LineFormats;
import dev.windrow.gather.render.LineLayout;
import dev.windrow.gather.render.LineRenderer;
import dev.windrow.gather.render.MeasuresView;
import dev.windrow.gather.render.Page;
import dev.windrow.gather.request.ApiRequest;
import dev.windrow.gather.request.RequestParser;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;

/** The busiest buckets, all labels together. */
@Path("/api/v1/datasets/{dataset}/busiest")
@Consumes(MediaType.APPLICATION_JSON)
public class BusiestResource {

    private final RequestParser requests;
    private final Gatherer gatherer;
    private final LineRenderer lines;

    BusiestResource(RequestParser requests, Gatherer gatherer, LineRenderer lines) {
        this.requests = requests;
        this.gatherer = gatherer;
        this.lines = lines;
    }

    @GET
    @Produces(MediaType.APPLICATION_JSON)
    @Operation(operationId = "busiest", summary = "The busiest buckets, or the profile of days or weeks, all labels together")
    public Uni<Page<BusiestView>> busiest(@PathParam("dataset") String dataset) {
        return page(read(dataset));
    }

    @GET
    @Produces(LineFormats.LINES)
    @Operation(hidden = true)
    public RestMulti<byte[]> streamBusiest(@PathParam("dataset") String dataset, @Context HttpHeaders headers) {
        ApiRequest<BusiestQuery> request = read(dataset);
        return lines.render(request.csv(headers), BusiestView.columns(request.query()),
                LineLayout.of(request.query().scope().named()), page(request));
    }

    private ApiRequest<BusiestQuery> read(String dataset) {
        return requests.read(QueryKind.BUSIEST, dataset, BusiestQuery::of);
    }

    private Uni<Page<BusiestView>> page(ApiRequest<BusiestQuery> request) {
        BusiestQuery query = request.query();
        // Ordered, because the buckets of one start must come together.
        GatherRequest gather = new GatherRequest(query.scope(), query.plan(), GatherOrder.ASCENDING, Long.MAX_VALUE,
                query.options());
        return gatherer.answer(gather, buckets -> rows(query, buckets)).map(found -> ApiRequest.page(request, found, null));
    }

    private static Uni<List<BusiestView>> rows(BusiestQuery query, Multi<Bucket> buckets) {
        return query.profile().map(profile -> buckets.collect()
                .<Map<Integer, MeasureValues>> in(HashMap::new, (sums, bucket) -> sums.merge(
                        profile.slot(bucket.start(), query.zone()), bucket.values(), MeasureValues::combine))
                .map(sums -> slots(query, profile, sums)))
                .orElseGet(() -> buckets.collect().in(() -> new BusiestBuckets(query), BusiestBuckets::add)
                        .map(BusiestBuckets::top));
    }

    /** Returns every slot of a profile in order, including empty ones. */
    private static List<BusiestView> slots(BusiestQuery query, Profile profile, Map<Integer, MeasureValues> sums) {
        MeasureValues nothing = MeasureValues.none(query.scope().dataset().measures());
        return IntStream.range(0, profile.size())
                .mapToObj(slot -> new BusiestView(null, null, profile.hour(slot), profile.day(slot),
                        MeasuresView.total(sums.getOrDefault(slot, nothing), query.scope().columns())))
                .toList();
    }

    /**
     * Sums all labels of each start and keeps the busiest, in constant memory: buckets come start by start. Two starts are open
     * at a time: if clocks go back at midnight, the end of a day may come after the first minute of the next.
     */
    private static final class BusiestBuckets {

        private final BusiestQuery query;
        /** The sums of the starts that may still get buckets. */
        private final TreeMap<Instant, MeasureValues> open = new TreeMap<>();
        private final PriorityQueue<Map.Entry<Instant, MeasureValues>> busiest;
        private final Comparator<Map.Entry<Instant, MeasureValues>> leastFirst;

        BusiestBuckets(BusiestQuery query) {
            this.query = query;
            // Of two equal buckets, the earlier one ranks higher.
            Comparator<Map.Entry<Instant, MeasureValues>> byValue = Comparator
                    .comparing(total -> total.getValue().shown(query.by()).orElseThrow());
            this.leastFirst = byValue.thenComparing(Map.Entry::getKey, Comparator.reverseOrder());
            this.busiest = new PriorityQueue<>(leastFirst);
        }

        /** Adds a bucket; starts must not decrease. */
        void add(Bucket bucket) {
            if (!query.buckets().holds(query.range(), bucket.start())) {
                return;
            }
            // Buckets that lag are summed up from finer ones, so the start is rounded down.
            open.merge(query.buckets().floor(bucket.start()), bucket.values(), MeasureValues::combine);
            if (open.size() > 2) {
                keep(open.pollFirstEntry());
            }
        }

        private void keep(Map.Entry<Instant, MeasureValues> total) {
            if (total.getValue().shown(query.by()).isPresent()) {
                busiest.add(total);
            }
            if (busiest.size() > query.n()) {
                busiest.remove();
            }
        }

        /** Returns the busiest buckets, busiest first; no more may be added. */
        List<BusiestView> top() {
            open.entrySet().forEach(this::keep);
            return busiest.stream().sorted(leastFirst.reversed()).map(total -> new BusiestView(query.granularity().name(),
                    BucketView.start(total.getKey(), query.zone()), null, null,
                    MeasuresView.present(total.getValue(), query.scope().columns()))).toList();
        }
    }

}
