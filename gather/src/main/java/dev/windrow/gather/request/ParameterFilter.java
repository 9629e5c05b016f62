package dev.windrow.gather.request;

import java.io.IOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;

import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;

import dev.windrow.base.Decimals;
import dev.windrow.base.InvalidInputException;
import dev.windrow.base.KeyCodec;
import dev.windrow.base.Reason;
import dev.windrow.base.Sanitized;
import dev.windrow.base.TimerDelays;
import dev.windrow.gather.fanout.HeldMemory;
import dev.windrow.gather.http.ApiConfig;
import dev.windrow.gather.http.PrometheusError;
import dev.windrow.gather.http.RequestQuery;
import dev.windrow.gather.parameter.Parameters;
import dev.windrow.gather.parameter.QueryKind;
import dev.windrow.gather.parameter.QueryParameter;
import dev.windrow.gather.read.GatherException;
import dev.windrow.gather.read.Lanes;
import dev.windrow.gather.render.LineFormats;
import dev.windrow.gather.security.Caller;
import io.quarkus.arc.ClientProxy;
import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;

/**
 * Reads the parameters of a query before the request is matched, because both the method and the format select the resource. A
 * posted query is served as the GET of the same parameters, so that resources know GET only. The format is the parameter
 * {@code format}, meant for links and address bars, or else the header Accept; JSON for clients that accept anything.
 */
class ParameterFilter {

    private static final String PROMETHEUS = "api/v1/prometheus/";

    /** A longer number is kept as written: no parameter accepts it, and expanding its digits would fill the memory. */
    private static final int MAX_DIGITS = 40;

    private final Caller caller;
    private final RequestState state;
    private final Lanes lanes;
    private final HeldMemory memory;
    private final RequestParser requests;
    private final ApiConfig config;
    private final Vertx vertx;
    private final ObjectReader json;
    private final long maxBytes;

    ParameterFilter(Caller caller, RequestState state, Lanes lanes, HeldMemory memory, RequestParser requests,
            ApiConfig config, Vertx vertx, ObjectMapper json,
            @ConfigProperty(name = "quarkus.http.limits.max-body-size") MemorySize maxBytes) {
        this.caller = caller;
        this.state = state;
        this.lanes = lanes;
        this.memory = memory;
        this.requests = requests;
        this.config = config;
        this.vertx = vertx;
        this.json = json
                .reader(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS, DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .with(StreamReadFeature.STRICT_DUPLICATE_DETECTION);
        this.maxBytes = maxBytes.asLongValue();
    }

    /** Returns the response if no resource is needed, else null. */
    @ServerRequestFilter(preMatching = true)
    Uni<@Nullable Response> read(ContainerRequestContext context, HttpServerRequest request) {
        Optional<QueryKind> query = QueryKind.ofPath(context.getUriInfo().getPath()).filter(QueryKind::isPostable);
        if (query.isEmpty() && !PrometheusError.isPostable(request.path())) {
            return Uni.createFrom().nullItem();
        }
        if (context.getMethod().equals(HttpMethod.OPTIONS)) {
            return Uni.createFrom().item(Response.ok().header(HttpHeaders.ALLOW, "GET, HEAD, OPTIONS, POST").build());
        }
        boolean posted = context.getMethod().equals(HttpMethod.POST);
        if (posted) {
            context.setMethod(HttpMethod.GET);
        }
        // As with GET, the resource rejects a body that is not JSON. Prometheus ignores a body that is not a form.
        boolean isRead = posted && (query.isPresent() ? isJson(context.getMediaType()) : isForm(context.getMediaType()));
        // The body of an unauthenticated client is not read.
        Uni<Map<String, List<String>>> body = isRead
                ? caller.admitted().chain(() -> memory.during(held -> body(request, held)))
                        .map(query.isPresent() ? this::members : RequestQuery::form)
                : Uni.createFrom().item(Map.of());
        return body.onItem().transformToUni(members -> {
            ClientProxy.unwrap(state).members = members;
            query.ifPresent(kind -> chooseFormat(kind, context, request, members));
            return Uni.createFrom().nullItem();
        });
    }

    private static boolean isForm(@Nullable MediaType type) {
        return type != null && type.isCompatible(MediaType.APPLICATION_FORM_URLENCODED_TYPE);
    }

    /** A body without a media type is read as JSON. */
    private static boolean isJson(MediaType type) {
        return type == null || type.isCompatible(MediaType.APPLICATION_JSON_TYPE);
    }

    /** Queries without the parameter are answered in JSON only; a client that sends it learns that it is unknown. */
    private static void chooseFormat(QueryKind kind, ContainerRequestContext context, HttpServerRequest request,
            Map<String, List<String>> members) {
        String name = QueryParameter.FORMAT.word();
        boolean hasFormats = kind.parameters().contains(QueryParameter.FORMAT);
        Optional<String> named = RequestQuery.parameters(request).getOrDefault(name, List.of()).stream().findFirst()
                .or(() -> members.getOrDefault(name, List.of()).stream().findFirst()).filter(format -> hasFormats);
        named.map(ParameterFilter::byName).or(() -> byAccept(context, hasFormats)).ifPresent(accept -> {
            context.getHeaders().putSingle(HttpHeaders.ACCEPT, accept);
            if (!accept.equals(MediaType.APPLICATION_JSON)) {
                // Removes "identity", which the framework sets to prevent compression until it knows the media type.
                request.response().headers().remove(HttpHeaders.CONTENT_ENCODING);
            }
        });
    }

    private static String byName(String format) {
        return switch (format) {
            case "json" -> MediaType.APPLICATION_JSON;
            case "ndjson" -> LineFormats.accept(false);
            case "csv" -> LineFormats.accept(true);
            default -> throw new InvalidInputException(Reason.INVALID_PARAMETER, QueryParameter.FORMAT.word(),
                    "expected one of " + String.join(", ", QueryParameter.FORMATS));
        };
    }

    /** Returns the first accepted type that is supported; if empty, the router reports that none is. */
    private static Optional<String> byAccept(ContainerRequestContext context, boolean hasFormats) {
        for (MediaType type : context.getAcceptableMediaTypes()) {
            if (type.isCompatible(MediaType.APPLICATION_JSON_TYPE)) {
                return Optional.of(MediaType.APPLICATION_JSON);
            }
            String name = type.getType() + "/" + type.getSubtype();
            if (hasFormats && (name.equals(LineFormats.NDJSON) || name.equals(LineFormats.CSV))) {
                return Optional.of(LineFormats.accept(name.equals(LineFormats.CSV)));
            }
        }
        return Optional.empty();
    }

    /**
     * Reads the journal's lanes before a query is planned, and so before any bucket is read. Returns no response, because the
     * resource answers. Live streams do not need this: they show buckets as stored.
     */
    @ServerRequestFilter
    Uni<@Nullable Response> readLanes(ContainerRequestContext context) {
        String path = context.getUriInfo().getPath();
        boolean isQuery = QueryKind.ofPath(path).filter(kind -> kind != QueryKind.LIVE).isPresent();
        if (!isQuery && !path.contains(PROMETHEUS)) {
            return Uni.createFrom().nullItem();
        }
        // Unwrapped now: another request's read may deliver the lanes, and this request's context is not active there.
        RequestState own = ClientProxy.unwrap(state);
        // Half of the time, as a query can do without them.
        return lanes.current(requests.timeLeft(config.defaultTimeout()).dividedBy(2)).onItem()
                .invoke(read -> own.freshness = read).onItem()
                .transformToUni(read -> Uni.createFrom().nullItem());
    }

    /**
     * Reads a body up to the limit, even if it does not declare its length, until the request's deadline: the longest one
     * unless the address names it, as the body may do so.
     */
    private Uni<byte[]> body(HttpServerRequest request, HeldMemory.Share held) {
        Duration left = TimerDelays.atLeastShortest(requests.timeLeft(config.maxTimeout()));
        return Uni.createFrom().emitter(emitter -> {
            Buffer read = Buffer.buffer();
            Consumer<RuntimeException> refuse = refusal -> {
                // Drops the rest of the body, and closes the connection so that the rest is not read as a request.
                request.handler(null);
                request.response().putHeader("Connection", "close");
                emitter.fail(refusal);
            };
            long late = vertx.setTimer(left.toMillis(), timer -> refuse
                    .accept(new GatherException(Reason.TIMED_OUT, "the body did not end by the request's deadline")));
            emitter.onTermination(() -> vertx.cancelTimer(late));
            request.exceptionHandler(failure -> emitter.fail(
                    new InvalidInputException(Reason.BAD_REQUEST, "body", "incomplete body, or malformed chunks")));
            request.endHandler(end -> emitter.complete(read.getBytes())).handler(bytes -> {
                try {
                    if (read.length() + bytes.length() > maxBytes) {
                        throw new InvalidInputException(Reason.CONTENT_TOO_LARGE, "body",
                                "expected at most " + maxBytes + " bytes");
                    }
                    held.add(bytes.length());
                    read.appendBuffer(bytes);
                } catch (InvalidInputException | GatherException refused) {
                    refuse.accept(refused);
                }
            });
            request.resume();
        });
    }

    /** Returns the members of a JSON object; an array is a repeated parameter. */
    private Map<String, List<String>> members(byte[] body) {
        JsonNode tree;
        try {
            tree = json.readTree(body);
        } catch (IOException | NumberFormatException e) {
            throw new InvalidInputException(Reason.NOT_JSON, "body", "expected a JSON object of parameters");
        }
        if (!tree.isObject()) {
            throw new InvalidInputException(Reason.NOT_AN_OBJECT, "body", "expected a JSON object of parameters");
        }
        Map<String, List<String>> members = new LinkedHashMap<>();
        tree.properties().forEach(member -> members.put(member.getKey(), values(member.getKey(), member.getValue())));
        return members;
    }

    private static List<String> values(String name, JsonNode value) {
        if (name.equals(QueryParameter.LABELS.word())) {
            return labels(value);
        }
        if (name.equals(QueryParameter.WHERE.word())) {
            return conditions(value);
        }
        return texts(name, value);
    }

    private static List<String> texts(String name, JsonNode value) {
        return value.isArray() ? value.valueStream().map(element -> text(name, element)).toList() : List.of(text(name, value));
    }

    /** Reads an attribute and its value as the composite key that queries expect. */
    static String condition(String text) {
        int colon = text.indexOf(':');
        if (colon < 0) {
            throw Parameters.invalid(QueryParameter.WHERE,
                    "expected attribute:value, such as country:DE, found " + Sanitized.of(text));
        }
        if (text.startsWith("!", colon + 1)) {
            throw Parameters.invalid(QueryParameter.WHERE, "conditions name the wanted values, not others; a value that"
                    + " really begins with ! can be given in the body of a POST, found " + Sanitized.of(text));
        }
        return KeyCodec.encode(List.of(text.substring(0, colon), text.substring(colon + 1)));
    }

    private static List<String> conditions(JsonNode object) {
        if (!object.isObject()) {
            throw new InvalidInputException(Reason.WRONG_FIELD_TYPE, QueryParameter.WHERE.word(),
                    "expected an object of values by attribute, such as {\"country\":[\"DE\",\"FR\"]}");
        }
        return object.propertyStream().flatMap(member -> {
            List<String> values = texts(QueryParameter.WHERE.word(), member.getValue());
            if (values.isEmpty()) {
                throw Parameters.invalid(QueryParameter.WHERE, "expected at least one value of " + Sanitized.of(member.getKey())
                        + ", found an empty array");
            }
            return values.stream().map(value -> KeyCodec.encode(List.of(member.getKey(), value)));
        }).toList();
    }

    private static String text(String name, JsonNode value) {
        return scalar(value).orElseThrow(() -> new InvalidInputException(Reason.WRONG_FIELD_TYPE, name,
                "expected text, a number, true, false, or an array of them"));
    }

    /** Returns a value as text, or empty if it has none. Numbers have the shortest plain form, as in the writer's labels. */
    private static Optional<String> scalar(JsonNode value) {
        if (!value.isNumber()) {
            return Optional.of(value).filter(any -> any.isValueNode() && !any.isNull()).map(JsonNode::asText);
        }
        BigDecimal number = value.decimalValue();
        boolean moderate = number.precision() <= MAX_DIGITS && Math.abs((long) number.scale()) <= MAX_DIGITS;
        return Optional.of(moderate ? Decimals.canonical(number) : number.toString());
    }

    /** Reads one of several labels, a JSON array of its first values, as the composite key that queries expect. */
    static String label(ObjectReader json, String text) {
        try {
            return label(json.readTree(text));
        } catch (JsonProcessingException | NumberFormatException malformed) {
            throw invalidLabel(text);
        }
    }

    private static String label(JsonNode array) {
        List<String> values = array.valueStream()
                .map(value -> scalar(value).orElseThrow(() -> invalidLabel(array.toString()))).toList();
        if (!array.isArray() || values.isEmpty()) {
            throw invalidLabel(array.toString());
        }
        values.forEach(value -> KeyCodec.utf8Length(QueryParameter.LABELS.word(), value));
        return KeyCodec.encode(values);
    }

    private static InvalidInputException invalidLabel(String found) {
        return Parameters.invalid(QueryParameter.LABELS,
                "expected a JSON array of a label's first values, such as [\"a\",\"b\"], found " + Sanitized.of(found));
    }

    /** Reads the labels of a body: a JSON array of arrays. */
    private static List<String> labels(JsonNode labels) {
        if (!labels.isArray() || labels.isEmpty()) {
            throw Parameters.invalid(QueryParameter.LABELS, "expected a JSON array of labels, each an array of its first"
                    + " values, such as [[\"a\",\"b\"]], found " + Sanitized.of(labels.toString()));
        }
        return labels.valueStream().map(ParameterFilter::label).toList();
    }

}
