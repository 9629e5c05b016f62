package dev.windrow.gather.api.request;

import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.Response;

import org.jboss.resteasy.reactive.server.ServerRequestFilter;
import org.jspecify.annotations.Nullable;

import dev.windrow.gather.lane.LaneCache;
import dev.windrow.gather.query.QueryKind;
import io.quarkus.arc.ClientProxy;
import io.smallrye.mutiny.Uni;

/** Reads the journal's lanes before a query is planned, and so before any bucket is read. */
class FreshnessFilter {

    private static final String PROMETHEUS = "api/v1/prometheus/";

    private final LaneCache lanes;
    private final RequestFreshness freshness;

    FreshnessFilter(LaneCache lanes, RequestFreshness freshness) {
        this.lanes = lanes;
        this.freshness = freshness;
    }

    /** Returns no response: the resource answers. Live streams show buckets as they are stored. */
    @ServerRequestFilter
    Uni<@Nullable Response> read(ContainerRequestContext context) {
        String path = context.getUriInfo().getPath();
        boolean isQuery = QueryKind.ofPath(path).filter(kind -> kind != QueryKind.LIVE).isPresent();
        if (!isQuery && !path.contains(PROMETHEUS)) {
            return Uni.createFrom().nullItem();
        }
        // The request's own: the lanes may come from a read that another request began, where this one's context is not active.
        RequestFreshness own = ClientProxy.unwrap(freshness);
        return lanes.current().onItem().invoke(own::set).onItem().transformToUni(read -> Uni.createFrom().nullItem());
    }
}
