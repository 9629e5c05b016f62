package dev.windrow.gather.top;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;

import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;

import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jboss.resteasy.reactive.RestMulti;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.annotation.JsonInclude;

import dev.windrow.dataset.Dataset;
import dev.windrow.gather.plan.QueryKind;
import dev.windrow.gather.render.BucketView.MeasuresView;
import dev.windrow.gather.render.LineRenderer;
import dev.windrow.gather.render.LineRenderer.LineFormats;
import dev.windrow.gather.render.LineRenderer.Row;
import dev.windrow.gather.render.Page;
import dev.windrow.gather.request.ApiRequest;
import dev.windrow.gather.request.ApiRequest.Pages;
import dev.windrow.gather.request.RequestParser;
import dev.windrow.gather.top.TopAnswer.TopGroups;
import dev.windrow.gather.totals.TotalsResource.CompareView;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.mutiny.Uni;

/** The labels, or groups of labels, that come first by a measure or its change. */
@Path("/api/v1/datasets/{dataset}/top")
@Consumes(MediaType.APPLICATION_JSON)
public class TopResource {

    private final RequestParser requests;
    private final TopAnswer executor;
    private final LineRenderer lines;

    TopResource(RequestParser requests, TopAnswer executor, LineRenderer lines) {
        this.requests = requests;
        this.executor = executor;
        this.lines = lines;
    }

    @GET
    @Produces(MediaType.APPLICATION_JSON)
    @Operation(operationId = "top", summary = "Exact top labels or groups of labels, by a measure or its change")
    public Uni<Page<TopView>> top(@PathParam("dataset") String dataset) {
        return page(read(dataset));
    }

    @GET
    @Produces(LineFormats.LINES)
    @Operation(hidden = true)
    public RestMulti<byte[]> streamTop(@PathParam("dataset") String dataset,
            @Context HttpHeaders headers) {
        ApiRequest<TopQuery> request = read(dataset);
        return lines.render(request.csv(headers), TopView.columns(request.query()), request.query().scope().named(),
                page(request));
    }

    private ApiRequest<TopQuery> read(String dataset) {
        return requests.read(QueryKind.TOP, dataset, TopQuery::of);
    }

    private Uni<Page<TopView>> page(ApiRequest<TopQuery> request) {
        return executor.execute(request.query()).onItem().transform(execution -> Pages.of(request,
                execution.map(page -> page.groups().stream().map(TopView::of).toList()), execution.result().next()));
    }

    /**
     * A group in a top list.
     *
     * @param label the values that its labels share; a whole label if they are not grouped
     * @param measures its measures over the range; one without a value is absent, or, if ranges are compared, 0 if it adds up,
     *        else null
     * @param against the same over the other range; absent if none is compared
     * @param change by measure, from the other range; null where either has no value; absent if none is compared
     */
    @RegisterForReflection
    @Schema(name = "TopLabel")
    public record TopView(
            @Schema(examples = "[\"https://example.org/\"]") List<String> label,
            @Schema(examples = "{\"events\":300,\"bytes\":1536000}") Map<String, @Nullable BigDecimal> measures,
            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Map<String, @Nullable BigDecimal> against,
            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Map<String, CompareView.@Nullable ChangeView> change)
            implements
                Row {

        /** A group of an execution. */
        public static TopView of(TopGroups.Sum sum) {
            if (sum.against().isEmpty()) {
                return new TopView(sum.label().values(), MeasuresView.present(sum.values()), null, null);
            }
            Map<String, @Nullable BigDecimal> now = MeasuresView.total(sum.values());
            Map<String, @Nullable BigDecimal> then = MeasuresView.total(sum.against().get());
            return new TopView(sum.label().values(), now, then, CompareView.changes(then, now));
        }

        /** Column names. */
        public static List<String> columns(TopQuery query) {
            Dataset dataset = query.scope().named();
            List<String> columns = Row.columns(dataset, dataset.label());
            if (query.against().isPresent()) {
                dataset.measures().forEach(measure -> columns.addAll(List.of("against." + measure.name(),
                        "change." + measure.name(), "change." + measure.name() + ".relative")));
            }
            return columns;
        }

        @Override
        public List<@Nullable Object> cells(Dataset dataset) {
            List<@Nullable Object> cells = Row.labelCells(dataset, label);
            dataset.measures().forEach(measure -> cells.add(measures.get(measure.name())));
            if (against != null && change != null) {
                dataset.measures().forEach(measure -> {
                    CompareView.ChangeView changed = change.get(measure.name());
                    cells.add(against.get(measure.name()));
                    cells.add(changed == null ? null : changed.absolute());
                    cells.add(changed == null ? null : changed.relative());
                });
            }
            return cells;
        }
    }
}
