package dev.windrow.gather.http;

import jakarta.annotation.security.PermitAll;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

import dev.windrow.base.Reason;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.common.annotation.NonBlocking;

/** Explains the reasons of problems. A problem's type is an address here; it needs no credential. */
@Path(Problem.TYPES + "{reason}")
@Produces(MediaType.APPLICATION_JSON)
@NonBlocking
@PermitAll
@Tag(name = "problems")
public class ProblemsResource {

    /**
     * A reason.
     *
     * @param reason its stable word
     * @param status the HTTP status of its responses
     */
    @RegisterForReflection
    public record Explanation(String reason, String title, int status) {
    }

    @GET
    @Operation(operationId = "problem", summary = "What a problem's reason means")
    public Explanation explain(@PathParam("reason") String word) {
        return Reason.ofWord(word)
                .map(reason -> new Explanation(reason.word(), reason.meaning(), Problem.status(reason)))
                .orElseThrow(NotFoundException::new);
    }
}
