package dev.windrow.gather.api.description;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
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
import dev.windrow.gather.query.ComparedPeriods;
import dev.windrow.gather.query.LabelSelector;
import dev.windrow.gather.query.Parameters;
import dev.windrow.gather.query.PositionQuery;
import dev.windrow.gather.query.Profile;
import dev.windrow.gather.query.QueryKind;
import dev.windrow.gather.query.QueryParameter;
import dev.windrow.gather.query.Ranking;
import dev.windrow.gather.query.SeriesGroups;
import dev.windrow.gather.query.SeriesQuery;
import dev.windrow.gather.query.SortOrder;
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
                ? schema("array").items(schema("array").items(schema("string"))).maxItems(LabelSelector.MAX_LABELS)
                : parameterSchema(kind, parameter);
    }

    private static Schema parameterSchema(QueryKind kind, QueryParameter parameter) {
        boolean repeats = parameter.type().equals("array");
        Schema schema = repeats ? schema("array").items(schema("string")) : schema(parameter.type());
        choices(kind, parameter).forEach(schema::addEnumeration);
        minimum(parameter).ifPresent(least -> schema.minimum(BigDecimal.valueOf(least)));
        pattern(parameter).ifPresent(schema::pattern);
        maximum(parameter).ifPresent(most -> {
            if (repeats) {
                schema.maxItems(most);
            } else {
                schema.maximum(BigDecimal.valueOf(most));
            }
        });
        return parameter == QueryParameter.PARTIAL ? schema.defaultValue(kind.partialByDefault()) : schema;
    }

    /** The values that a kind of query takes; empty if they are no list. */
    private static List<String> choices(QueryKind kind, QueryParameter parameter) {
        return switch (parameter) {
            case ORDER -> words(kind == QueryKind.BUCKETS || kind == QueryKind.SERIES ? SortOrder.values()
                    : kind == QueryKind.POSITION ? new Ranking[] { Ranking.DESC, Ranking.ASC } : Ranking.values());
            case FILL -> words(SeriesQuery.Fill.values());
            case RATE -> words(SeriesQuery.Rate.values());
            case GROUP -> words(SeriesGroups.Group.values());
            case PROFILE -> words(Profile.values());
            case AGAINST -> words(ComparedPeriods.Against.values());
            case FORMAT -> QueryParameter.FORMATS;
            default -> List.of();
        };
    }

    private static List<String> words(Enum<?>[] values) {
        return Arrays.stream(values).map(Parameters::word).toList();
    }

    /** The smallest whole number that is taken; empty for other types. */
    private static OptionalInt minimum(QueryParameter parameter) {
        return parameter.type().equals("integer") ? OptionalInt.of(parameter == QueryParameter.AROUND ? 0 : 1)
                : OptionalInt.empty();
    }

    /** The largest number, or the largest number of items, that is taken whatever the settings; empty if those decide. */
    private static OptionalInt maximum(QueryParameter parameter) {
        return switch (parameter) {
            case AROUND -> OptionalInt.of(PositionQuery.MAX_AROUND);
            case LABELS -> OptionalInt.of(LabelSelector.MAX_LABELS);
            default -> OptionalInt.empty();
        };
    }

    /** The form of its text as a regular expression; empty if none says it. */
    private static Optional<String> pattern(QueryParameter parameter) {
        return parameter == QueryParameter.LAST || parameter == QueryParameter.WINDOW
                ? Optional.of("^[0-9]{1,9}[smhdw]$")
                : Optional.empty();
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
