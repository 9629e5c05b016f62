package dev.windrow.gather.openapi;

import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import jakarta.ws.rs.core.Application;

import org.eclipse.microprofile.config.ConfigProvider;
import org.eclipse.microprofile.openapi.OASFactory;
import org.eclipse.microprofile.openapi.OASFilter;
import org.eclipse.microprofile.openapi.annotations.OpenAPIDefinition;
import org.eclipse.microprofile.openapi.annotations.info.Info;
import org.eclipse.microprofile.openapi.annotations.info.License;
import org.eclipse.microprofile.openapi.annotations.servers.Server;
import org.eclipse.microprofile.openapi.models.Components;
import org.eclipse.microprofile.openapi.models.OpenAPI;
import org.eclipse.microprofile.openapi.models.Operation;
import org.eclipse.microprofile.openapi.models.PathItem;
import org.eclipse.microprofile.openapi.models.media.Schema;
import org.eclipse.microprofile.openapi.models.parameters.Parameter;
import org.eclipse.microprofile.openapi.models.parameters.RequestBody;
import org.eclipse.microprofile.openapi.models.responses.APIResponse;
import org.eclipse.microprofile.openapi.models.responses.APIResponses;
import org.eclipse.microprofile.openapi.models.security.SecurityScheme;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;

import dev.windrow.base.Reason;
import dev.windrow.dataset.About;
import dev.windrow.dataset.Datasets;
import dev.windrow.gather.busiest.BusiestView;
import dev.windrow.gather.busiest.Profile;
import dev.windrow.gather.datasets.DatasetView;
import dev.windrow.gather.datasets.DatasetsResource;
import dev.windrow.gather.fanout.Warning;
import dev.windrow.gather.http.Problem;
import dev.windrow.gather.http.ProblemsResource;
import dev.windrow.gather.label.LabelSelector;
import dev.windrow.gather.parameter.Parameters;
import dev.windrow.gather.parameter.QueryKind;
import dev.windrow.gather.parameter.QueryParameter;
import dev.windrow.gather.parameter.SortOrder;
import dev.windrow.gather.range.TimeParameters;
import dev.windrow.gather.rank.Ranking;
import dev.windrow.gather.render.BucketView;
import dev.windrow.gather.render.LineFormats;
import dev.windrow.gather.render.Page;
import dev.windrow.gather.render.QueryExplanation;
import dev.windrow.gather.security.ApiAuthentication;
import dev.windrow.gather.security.Authentication;
import dev.windrow.gather.series.SeriesGroups;
import dev.windrow.gather.series.SeriesQuery;
import dev.windrow.gather.top.PlaceView;
import dev.windrow.gather.top.PositionQuery;
import dev.windrow.gather.top.PositionView;
import dev.windrow.gather.top.TopView;
import dev.windrow.gather.totals.ChangeView;
import dev.windrow.gather.totals.CompareView;
import dev.windrow.gather.totals.ComparedPeriods;
import dev.windrow.gather.totals.TotalsView;
import io.quarkus.arc.Arc;
import io.quarkus.smallrye.openapi.OpenApiFilter;

/**
 * Completes the API's description from the definitions that the code uses: the parameters of each operation, and the problems
 * it may answer with.
 */
@OpenApiFilter(OpenApiFilter.RunStage.BUILD)
public class ApiDescription implements OASFilter {

    private static final List<Reason> PROBLEMS = List.of(Reason.INVALID_PARAMETER, Reason.NOT_ACCEPTABLE,
            Reason.UNSUPPORTED_MEDIA_TYPE, Reason.INTERNAL, Reason.REFUSED, Reason.OVERLOADED, Reason.TIMED_OUT);

    @Override
    public void filterOpenAPI(OpenAPI api) {
        if (api.getPaths() == null || api.getPaths().getPathItems() == null) {
            return;
        }
        DocumentSchemas.complete(api.getComponents().getSchemas());
        api.getPaths().getPathItems().forEach((path, item) -> {
            describeDataset(item.getGET());
            QueryKind.ofPath(path).ifPresent(kind -> describe(kind, item));
        });
    }

    /** Adds the problem of every path that names a dataset. */
    private static void describeDataset(Operation get) {
        get.setResponses(Optional.ofNullable(get.getResponses()).orElseGet(OASFactory::createAPIResponses));
        Objects.requireNonNullElse(get.getParameters(), List.<Parameter> of()).stream()
                .filter(parameter -> parameter.getName().equals("dataset")).forEach(parameter -> {
                    parameter.example("clicks");
                    addProblem(get.getResponses(), Reason.UNKNOWN_DATASET);
                });
    }

    private static void describe(QueryKind kind, PathItem item) {
        Operation get = item.getGET();
        get.setTags(List.of("queries"));
        APIResponses responses = get.getResponses();
        PROBLEMS.forEach(reason -> addProblem(responses, reason));
        if (kind.parameters().contains(QueryParameter.FORMAT)) {
            describeLines(responses.getAPIResponse("200"));
        }
        if (kind.isPostable()) {
            item.setPOST(posted(kind, get));
        }
        kind.parameters().forEach(parameter -> get.addParameter(parameter(kind, parameter)));
    }

    /** Describes the same query with its parameters in the body, except those of the path. */
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
        sample(kind).forEach((parameter, value) -> sample.put(parameter.word(), value));
        return OASFactory.createRequestBody().description("The parameters").content(OASFactory.createContent()
                .addMediaType("application/json", OASFactory.createMediaType().schema(members).example(sample)));
    }

    /** In a body, a label is an array and conditions are an object; in an address, they are text. */
    private static Schema memberSchema(QueryKind kind, QueryParameter parameter) {
        return switch (parameter) {
            case LABELS -> schema("array").items(schema("array").items(schema("string"))).maxItems(LabelSelector.MAX_LABELS);
            case WHERE -> schema("object").additionalPropertiesSchema(schema("array").items(schema("string")));
            default -> parameterSchema(kind, parameter);
        };
    }

    private static Schema parameterSchema(QueryKind kind, QueryParameter parameter) {
        boolean repeats = parameter.type().equals("array");
        Schema schema = repeats ? schema("array").items(schema("string")) : schema(parameter.type());
        choices(kind, parameter).forEach(schema::addEnumeration);
        if (parameter.type().equals("integer")) {
            schema.minimum(BigDecimal.valueOf(parameter == QueryParameter.AROUND ? 0 : 1));
        }
        // Limits that do not depend on settings.
        switch (parameter) {
            case AROUND -> schema.maximum(BigDecimal.valueOf(PositionQuery.MAX_AROUND));
            case LABELS -> schema.maxItems(LabelSelector.MAX_LABELS);
            case LAST -> schema.pattern("^([0-9]{1,9}[smhdw]|" + String.join("|", TimeParameters.PERIODS) + ")$");
            case WINDOW -> schema.pattern("^[0-9]{1,9}[smhdw]$");
            default -> {
            }
        }
        return parameter == QueryParameter.PARTIAL ? schema.defaultValue(kind.partialByDefault()) : schema;
    }

    /** Returns the values that a kind of query accepts; empty if they are not a fixed list. */
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

    private static Parameter parameter(QueryKind kind, QueryParameter parameter) {
        Parameter described = OASFactory.createParameter().name(parameter.word()).in(Parameter.In.QUERY)
                .description(description(parameter))
                .schema(parameterSchema(kind, parameter));
        Object sample = sample(kind).get(parameter);
        return sample == null ? described : described.example(sample);
    }

    /**
     * Returns the parameters of a valid request of each kind, each with a value of its JSON type. Tools fill in all examples of
     * a description at once, so the examples of one operation must make one valid request. They fit the dataset in the README.
     */
    private static Map<QueryParameter, Object> sample(QueryKind kind) {
        return switch (kind) {
            case BUCKETS -> Map.of(QueryParameter.GRANULARITY, "hour", QueryParameter.LIMIT, 10);
            case SERIES -> Map.of(QueryParameter.GRANULARITY, "day");
            case TOTALS -> Map.of();
            case TOP ->
                Map.of(QueryParameter.BY, "events", QueryParameter.N, 10, QueryParameter.GROUP_BY, List.of("referrer"));
            case BUSIEST -> Map.of(QueryParameter.GRANULARITY, "hour", QueryParameter.BY, "events", QueryParameter.N, 10);
            case COMPARE -> Map.of(QueryParameter.LAST, "7d", QueryParameter.AGAINST, "previous");
            case POSITION -> Map.of(QueryParameter.LABEL, List.of("https://example.org/"), QueryParameter.BY, "events",
                    QueryParameter.AROUND, 2);
            case LIVE -> Map.of(QueryParameter.GRANULARITY, "hour", QueryParameter.WINDOW, "2h");
        };
    }

    private static String description(QueryParameter parameter) {
        boolean shown = parameter.example().isEmpty() || parameter.description().contains("`" + parameter.example() + "`");
        return shown ? parameter.description() : parameter.description() + " Example: `" + parameter.example() + "`.";
    }

    private static Schema schema(String type) {
        return OASFactory.createSchema().addType(Schema.SchemaType.valueOf(type.toUpperCase(Locale.ROOT)));
    }

    /**
     * Declares which properties of a document are always present and which may be null, so that generated clients need no
     * checks for values that are never absent. Both follow from the annotations that control how a document is written.
     */
    static final class DocumentSchemas {

        private static final List<Class<? extends Record>> DOCUMENTS = List.of(BucketView.class, BusiestView.class,
                CompareView.class, CompareView.PeriodView.class, ChangeView.class, DatasetView.class,
                DatasetView.AcceptView.class, DatasetView.MeasureView.class, DatasetView.EpochView.class,
                DatasetView.RankView.class, DatasetsResource.DatasetList.class, Page.class, PositionView.class,
                PlaceView.class, Problem.class, ProblemsResource.Explanation.class,
                QueryExplanation.class, QueryExplanation.StageView.class, QueryExplanation.LagView.class,
                QueryExplanation.HorizonView.class, TopView.class, TotalsView.class, Warning.class);

        /** @param schemas the description's, by name */
        static void complete(Map<String, Schema> schemas) {
            schemas.forEach((name, schema) -> DOCUMENTS.stream().filter(document -> name.startsWith(nameOf(document)))
                    .filter(document -> document == Page.class || name.equals(nameOf(document)))
                    .forEach(document -> complete(schemas, schema, document)));
        }

        private static String nameOf(Class<? extends Record> document) {
            var described = document.getAnnotation(org.eclipse.microprofile.openapi.annotations.media.Schema.class);
            return described == null || described.name().isEmpty() ? document.getSimpleName() : described.name();
        }

        private static void complete(Map<String, Schema> schemas, Schema schema, Class<? extends Record> document) {
            List<String> required = new ArrayList<>();
            for (RecordComponent component : document.getRecordComponents()) {
                Schema property = schema.getProperties().get(component.getName());
                if (property == null || component.getAccessor().isAnnotationPresent(JsonIgnore.class)) {
                    continue;
                }
                boolean omitted = document.isAnnotationPresent(JsonInclude.class)
                        || component.getAccessor().isAnnotationPresent(JsonInclude.class);
                boolean nullable = isNullable(component.getAnnotatedType());
                if (!nullable || !omitted) {
                    required.add(component.getName());
                }
                if (nullable && !omitted) {
                    addNull(schemas, property);
                }
                Schema values = property.getAdditionalPropertiesSchema();
                if (values != null && hasNullableValues(component.getAnnotatedType())) {
                    addNull(schemas, values);
                }
            }
            schema.setRequired(required);
        }

        private static boolean isNullable(AnnotatedType type) {
            return type.isAnnotationPresent(Nullable.class);
        }

        private static boolean hasNullableValues(AnnotatedType map) {
            AnnotatedType[] arguments = map instanceof AnnotatedParameterizedType type
                    ? type.getAnnotatedActualTypeArguments()
                    : new AnnotatedType[0];
            return arguments.length == 2 && isNullable(arguments[1]);
        }

        /** Allows null in a referenced type as well: client generators do not support a choice of reference or null. */
        private static void addNull(Map<String, Schema> schemas, Schema schema) {
            String ref = schema.getRef();
            Schema described = ref == null ? schema : schemas.getOrDefault(ref.substring(ref.lastIndexOf('/') + 1), schema);
            if (!described.getType().contains(Schema.SchemaType.NULL)) {
                described.addType(Schema.SchemaType.NULL);
            }
        }
    }

    /** Adds to the API's description, at each start, the credentials that this service requires. */
    @OpenApiFilter(OpenApiFilter.RunStage.RUN)
    public static class CredentialsDescription implements OASFilter {

        @Override
        public void filterOpenAPI(OpenAPI api) {
            Authentication authentication = ConfigProvider.getConfig()
                    .getOptionalValue("windrow.gather.authentication.type", Authentication.class).orElse(Authentication.NONE);
            Map<String, SecurityScheme> schemes = schemes(authentication);
            if (schemes.isEmpty()) {
                describe(api, Arc.container().instance(Datasets.class).get());
                return;
            }
            Components components = api.getComponents();
            schemes.forEach(components::addSecurityScheme);
            api.getPaths().getPathItems().forEach((path, item) -> {
                if (!path.startsWith(Problem.TYPES)) {
                    describe(item, schemes, authentication == Authentication.OIDC || QueryKind.ofPath(path).isPresent());
                }
            });
        }

        /** Returns the security schemes; any one is enough. */
        private static Map<String, SecurityScheme> schemes(Authentication authentication) {
            Map<String, SecurityScheme> schemes = new LinkedHashMap<>();
            switch (authentication) {
                case NONE -> {
                }
                case API_KEY -> {
                    schemes.put("key", OASFactory.createSecurityScheme().type(SecurityScheme.Type.APIKEY)
                            .in(SecurityScheme.In.HEADER).name(ApiAuthentication.KEY_HEADER).description("An API key."));
                    schemes.put("bearer-key", bearer("An API key."));
                }
                case OIDC -> schemes.put("token",
                        bearer("A token of the OpenID Connect provider; a claim of it names the tenant.").bearerFormat("JWT"));
            }
            return schemes;
        }

        private static SecurityScheme bearer(String description) {
            return OASFactory.createSecurityScheme().type(SecurityScheme.Type.HTTP).scheme("bearer").description(description);
        }

        /** @param bound whether a valid credential may still be the wrong one: of another tenant, or of none */
        private static void describe(PathItem item, Map<String, SecurityScheme> schemes, boolean bound) {
            item.getOperations().values().forEach(described -> {
                schemes.keySet().forEach(
                        scheme -> described.addSecurityRequirement(OASFactory.createSecurityRequirement().addScheme(scheme)));
                ApiDescription.addProblem(described.getResponses(), Reason.UNAUTHENTICATED);
                if (bound) {
                    ApiDescription.addProblem(described.getResponses(), Reason.FORBIDDEN);
                }
            });
        }

        /** Names datasets and measures; only for services that let every client list them. */
        private static void describe(OpenAPI api, Datasets datasets) {
            String measures = datasets.all().stream()
                    .map(dataset -> "\n- `" + dataset.name() + "`: " + dataset.columns().stream()
                            .map(column -> "`" + column.name() + "`" + text(column.about())).collect(Collectors.joining("; ")))
                    .collect(Collectors.joining("", "\n\nDeclared, by dataset:\n", ""));
            api.getPaths().getPathItems().values().stream().flatMap(item -> item.getOperations().values().stream())
                    .forEach(operation -> describe(operation, datasets, measures));
            api.getComponents().getSchemas().values().stream()
                    .flatMap(schema -> Stream.ofNullable(schema.getProperties()).map(properties -> properties.get("measures")))
                    // In /datasets, these are declarations.
                    .filter(values -> values != null && values.getAdditionalPropertiesSchema().getRef() == null)
                    .forEach(values -> values.setDescription("By name; null for what has no value." + measures));
        }

        private static void describe(Operation operation, Datasets datasets, String measures) {
            for (Parameter parameter : Objects.requireNonNullElse(operation.getParameters(), List.<Parameter> of())) {
                if (parameter.getName().equals("dataset")) {
                    // One example or several, but not both.
                    parameter.setExample(null);
                    datasets.all().forEach(dataset -> parameter.addExample(dataset.name(), OASFactory.createExample()
                            .value(dataset.name()).summary(Objects.requireNonNullElse(dataset.about().title(), dataset.name()))
                            .description(dataset.about().description())));
                } else if (parameter.getName().equals(QueryParameter.BY.word())) {
                    parameter.setDescription(parameter.getDescription() + measures);
                }
            }
        }

        /** Returns title, unit and description, as far as they are declared. */
        private static String text(About about) {
            String text = Stream.of(about.title(), about.unit() == null ? null : "in " + about.unit(), about.description())
                    .filter(Objects::nonNull).collect(Collectors.joining(", "));
            return text.isEmpty() ? "" : " (" + text + ")";
        }
    }

    /** The title and introduction of the API's description. */
    @OpenAPIDefinition(info = @Info(title = "Windrow gatherer", version = "v1", license = @License(name = "Apache License 2.0", identifier = "Apache-2.0"), description = """
            Exact answers about aggregated events. Numbers are exact decimals; times are RFC 3339 in UTC, or seconds since \
            1970 in parameters; ranges are half-open; unknown parameters are errors."""), servers = @Server(url = "/", description = "Where this description was loaded from"))
    public static class ApiDefinition extends Application {
    }
}
