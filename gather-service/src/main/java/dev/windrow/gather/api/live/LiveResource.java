package dev.windrow.gather.api.live;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.HEAD;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.sse.OutboundSseEvent;
import jakarta.ws.rs.sse.Sse;

import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.jspecify.annotations.Nullable;

import dev.windrow.gather.api.rendering.BucketView;
import dev.windrow.gather.api.request.RequestParser;
import dev.windrow.gather.query.LiveQuery;
import dev.windrow.gather.query.QueryKind;
import dev.windrow.gather.security.Caller;
import io.smallrye.mutiny.Multi;

/** Changed buckets as they change. */
@Path("/api/v1/datasets/{dataset}/live")
public class LiveResource {

    private final RequestParser requests;
    private final LiveFeed feed;
    private final Caller caller;

    LiveResource(RequestParser requests, LiveFeed feed, Caller caller) {
        this.requests = requests;
        this.feed = feed;
        this.caller = caller;
    }

    /** What a GET would begin with. The framework's own answer to HEAD is the whole of a GET, which has no end here. */
    @HEAD
    @Operation(hidden = true)
    public Response headers(@PathParam("dataset") String dataset) {
        requests.read(QueryKind.LIVE, dataset, LiveQuery::of);
        return Response.ok().type(MediaType.SERVER_SENT_EVENTS).build();
    }

    @GET
    @Produces(MediaType.SERVER_SENT_EVENTS)
    @Operation(operationId = "live", summary = "Changed buckets as server-sent events", description = """
            First every bucket of the window, then each that changes, in its whole new state. Events named `bucket` hold a \
            bucket, events named `problem` a reason and a message; the stream may end after one. A client that comes back \
            with `Last-Event-ID` gets every bucket that may have changed meanwhile; applying one twice does no harm.""")
    @APIResponse(responseCode = "200", content = @Content(mediaType = MediaType.SERVER_SENT_EVENTS, schema = @Schema(implementation = BucketView.class)))
    public Multi<OutboundSseEvent> live(@PathParam("dataset") String dataset, @Context Sse sse,
            @HeaderParam("Last-Event-ID") @Nullable String lastEventId) {
        LiveQuery query = requests
                .read(QueryKind.LIVE, dataset, LiveQuery::of).query();
        return feed.events(query, sse, lastEventId, caller.expiry());
    }
}
