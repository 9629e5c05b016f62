package dev.windrow.gather.datasets;

import java.util.List;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

import dev.windrow.dataset.Datasets;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.common.annotation.NonBlocking;

/** The declared datasets. */
@Path("/api/v1/datasets")
@Produces(MediaType.APPLICATION_JSON)
@NonBlocking
@Tag(name = "datasets")
public class DatasetsResource {

    private final DatasetList declared;

    DatasetsResource(Datasets datasets) {
        this.declared = new DatasetList(datasets.all().stream().map(DatasetView::of).toList());
    }

    /** All datasets in declared order. */
    @RegisterForReflection
    public record DatasetList(List<DatasetView> items) {
    }

    @GET
    @Operation(operationId = "datasets", summary = "What is declared")
    public DatasetList datasets() {
        return declared;
    }

}
