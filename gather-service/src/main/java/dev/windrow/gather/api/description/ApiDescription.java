package dev.windrow.gather.api.description;

import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import org.eclipse.microprofile.openapi.OASFactory;
import org.eclipse.microprofile.openapi.OASFilter;
import org.eclipse.microprofile.openapi.models.OpenAPI;
import org.eclipse.microprofile.openapi.models.Operation;
import org.eclipse.microprofile.openapi.models.PathItem;
import org.eclipse.microprofile.openapi.models.media.Schema;
import org.eclipse.microprofile.openapi.models.parameters.Parameter;
import org.eclipse.microprofile.openapi.models.parameters.RequestBody;
import org.eclipse.microprofile.openapi.models.responses.APIResponse;
import org.eclipse.microprofile.openapi.models.responses.APIResponses;

import dev.windrow.base.Reason;
import dev.windrow.gather.api.problem.Problem;
import dev.windrow.gather.api.rendering.LineFormats;
import dev.windrow.gather.query.QueryKind;
import dev.windrow.gather.query.QueryParameter;
import io.quarkus.smallrye.openapi.OpenApiFilter;

/**
 * Completes the API's description from the definitions that the code uses: each operation's parameters, and the problems it
 * may answer with.
 */
@OpenApiFilter(OpenApiFilter.RunStage.BUILD)
public class ApiDescription implements OASFilter {

    private static final List<Reason> PROBLEMS = List.of(Reason.INVALID_PARAMETER, Reason.UNKNOWN_DATASET,
            Reason.NOT_ACCEPTABLE, Reason.UNSUPPORTED_MEDIA_TYPE, Reason.INTERNAL, Reason.REFUSED, Reason.OVERLOADED,
            Reason.TIMED_OUT);

    @Override
    public void filterOpenAPI(OpenAPI api) {
        if (api.getPaths() == null || api.getPaths().getPathItems() == null) {
            return;
        }
        DocumentSchemas.complete(api.getComponents().getSchemas());
        api.getPaths().getPathItems().forEach((path, item) -> QueryKind.ofPath(path)
                .ifPresent(kind -> describe(kind, item)));
    }

    private static void describe(QueryKind kind, PathItem item) {
        Operation get = item.getGET();
        get.setTags(List.of("queries"));
        get.getParameters().stream().filter(parameter -> parameter.getName().equals("dataset"))
                .forEach(parameter -> parameter.example(SampleRequest.DATASET));
        APIResponses responses = Optional.ofNullable(get.getResponses()).orElseGet(OASFactory::createAPIResponses);
        PROBLEMS.forEach(reason -> addProblem(responses, reason));
        get.setResponses(responses);
        if (kind.parameters().contains(QueryParameter.FORMAT)) {
            describeLines(responses.getAPIResponse("200"));
        }
        if (kind.isPostable()) {
            item.setPOST(posted(kind, get));
        }
        kind.parameters().forEach(parameter -> get.addParameter(parameter(kind, parameter)));
    }

    /** The same query with its parameters in the body, except those of the path. */
    private static Operation posted(QueryKind kind, Operation get) {
        String id = get.getOperationId();
        return OASFactory.createOperation().operationId("post" + id.substring(0, 1).toUpperCase(Locale.ROOT) + id.substring(1))
                .summary("The same with parameters in a JSON object").tags(List.copyOf(get.getTags()))
                .parameters(List.copyOf(get.getParameters())).requestBody(body(kind)).responses(get.getResponses());
    }

    static void addProblem(APIResponses responses, Reason reason) {
        responses.addAPIResponse(String.valueOf(Problem.status(reason)),
                OASFactory.createAPIResponse().description(reason.meaning())
                        .content(OASFactory.createContent().addMediaType(Problem.MEDIA_TYPE, OASFactory.createMediaType()
                                .schema(OASFactory.createSchema().ref("#/components/schemas/Problem")))));
    }

    private static void describeLines(APIResponse ok) {
        ok.getContent()
                .addMediaType(LineFormats.NDJSON, OASFactory.createMediaType().schema(schema("string"))
                        .example("{\"measures\":{\"events\":3}}\n{\"end\":{\"complete\":true,\"warnings\":[]}}\n"))
                .addMediaType(LineFormats.CSV, OASFactory.createMediaType().schema(schema("string"))
                        .example("referrer,granularity,start,events\r\n-,hour,2026-11-20T10:00:00Z,3\r\n"));
    }

    private static RequestBody body(QueryKind kind) {
        Schema members = schema("object");
        kind.parameters().forEach(parameter -> members.addProperty(parameter.word(),
                memberSchema(kind, parameter).description(description(parameter))));
        Map<String, Object> sample = new TreeMap<>();
        SampleRequest.parameters(kind).forEach((parameter, value) -> sample.put(parameter.word(), value));
        return OASFactory.createRequestBody().description("The parameters").content(OASFactory.createContent()
                .addMediaType("application/json", OASFactory.createMediaType().schema(members).example(sample)));
    }

    /** In a body, a label is an array of its own; in an address, it is the text of one. */
    private static Schema memberSchema(QueryKind kind, QueryParameter parameter) {
        return parameter == QueryParameter.LABELS
                ? schema("array").items(schema("array").items(schema("string"))).maxItems(parameter.maximum().orElseThrow())
                : parameterSchema(kind, parameter);
    }

    private static Schema parameterSchema(QueryKind kind, QueryParameter parameter) {
        boolean repeats = parameter.type().equals("array");
        Schema schema = repeats ? schema("array").items(schema("string")) : schema(parameter.type());
        parameter.choices(kind).forEach(schema::addEnumeration);
        parameter.minimum().ifPresent(least -> schema.minimum(BigDecimal.valueOf(least)));
        parameter.pattern().ifPresent(schema::pattern);
        parameter.maximum().ifPresent(most -> {
            if (repeats) {
                schema.maxItems(most);
            } else {
                schema.maximum(BigDecimal.valueOf(most));
            }
        });
        return parameter == QueryParameter.PARTIAL ? schema.defaultValue(kind.partialByDefault()) : schema;
    }

    private static Parameter parameter(QueryKind kind, QueryParameter parameter) {
        Parameter described = OASFactory.createParameter().name(parameter.word()).in(Parameter.In.QUERY)
                .description(description(parameter))
                .schema(parameterSchema(kind, parameter));
        Object sample = SampleRequest.parameters(kind).get(parameter);
        return sample == null ? described : described.example(sample);
    }

    private static String description(QueryParameter parameter) {
        boolean shown = parameter.example().isEmpty() || parameter.description().contains("`" + parameter.example() + "`");
        return shown ? parameter.description() : parameter.description() + " Example: `" + parameter.example() + "`.";
    }

    private static Schema schema(String type) {
        return OASFactory.createSchema().addType(switch (type) {
            case "array" -> Schema.SchemaType.ARRAY;
            case "object" -> Schema.SchemaType.OBJECT;
            case "integer" -> Schema.SchemaType.INTEGER;
            case "boolean" -> Schema.SchemaType.BOOLEAN;
            default -> Schema.SchemaType.STRING;
        });
    }
}
