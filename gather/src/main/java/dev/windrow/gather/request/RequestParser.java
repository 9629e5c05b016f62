package dev.windrow.gather.request;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import jakarta.enterprise.context.ApplicationScoped;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;

import dev.windrow.base.InvalidInputException;
import dev.windrow.dataset.Datasets;
import dev.windrow.gather.fanout.ReadConfig;
import dev.windrow.gather.http.ApiConfig;
import dev.windrow.gather.http.RequestGuard;
import dev.windrow.gather.http.RequestQuery;
import dev.windrow.gather.parameter.Parameters;
import dev.windrow.gather.parameter.QueryKind;
import dev.windrow.gather.parameter.QueryParameter;
import dev.windrow.gather.plan.DatasetScope;
import dev.windrow.gather.plan.QueryContext;
import dev.windrow.gather.plan.QueryLimits;
import dev.windrow.gather.security.Caller;
import io.quarkus.arc.ClientProxy;
import io.vertx.ext.web.RoutingContext;

/** Reads requests about a dataset from the parameters of the address, or of a JSON body if they are too long for an address. */
@ApplicationScoped
public class RequestParser {

    private final Datasets datasets;
    private final RollupChooser rollups;
    private final QueryLimits limits;
    private final Clock clock;
    private final Duration closedAfter;
    private final Caller caller;
    private final RoutingContext request;
    private final RequestState state;
    private final ObjectReader json;

    RequestParser(Datasets datasets, ApiConfig config, ReadConfig fanout, Clock clock, Caller caller, RoutingContext request,
            RequestState state, ObjectMapper json) {
        this.datasets = datasets;
        this.rollups = new RollupChooser(datasets);
        this.limits = new QueryLimits(Math.min(QueryLimits.DEFAULT_LIMIT, config.maxLimit()), config.maxLimit(),
                config.maxPoints(), QueryLimits.MAX_TOP, config.maxLabels(), QueryLimits.MAX_WINDOW, config.defaultTimeout(),
                config.maxTimeout());
        this.clock = clock;
        this.closedAfter = fanout.closedAfter();
        this.caller = caller;
        this.request = request;
        this.state = state;
        this.json = json.reader(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS,
                DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
    }

    /** The context of the current request: limits, the current time, how fresh the table is, and since when it waits. */
    public QueryContext context() {
        Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        Duration elapsed = Duration.between(RequestGuard.arrived(request), now);
        return new QueryContext(limits, now, ClientProxy.unwrap(state).freshness,
                elapsed.isNegative() ? Duration.ZERO : elapsed);
    }

    /**
     * Returns how long the current request may still take, before all of it is read. A timeout that is not valid counts as
     * absent: it is reported later.
     *
     * @param absent the timeout if none is known
     */
    Duration timeLeft(Duration absent) {
        List<String> timeout = parameters().getOrDefault(QueryParameter.TIMEOUT.word(), List.of(absent.toString()));
        try {
            return context().timeout(Parameters.of(QueryKind.TOTALS, Map.of(QueryParameter.TIMEOUT.word(), timeout)));
        } catch (InvalidInputException invalid) {
            return absent;
        }
    }

    /** Returns the parameters of the current request, from its address and its body. */
    public Map<String, List<String>> parameters() {
        Map<String, List<String>> joined = new LinkedHashMap<>();
        List.of(RequestQuery.parameters(request.request()), ClientProxy.unwrap(state).members).forEach(part -> part.forEach(
                (name, values) -> joined.computeIfAbsent(name, absent -> new ArrayList<>()).addAll(values)));
        return joined;
    }

    /** Makes a query from the parts of a request. */
    @FunctionalInterface
    public interface QueryOf<Q> {
        Q of(DatasetScope scope, Parameters parameters, QueryContext context);
    }

    /** Reads the parameters of the path, the query and the body. */
    public <Q> ApiRequest<Q> read(QueryKind operation, String dataset, QueryOf<Q> queryOf) {
        Map<String, List<String>> raw = new LinkedHashMap<>();
        RequestQuery.parameters(request.request()).forEach((name, values) -> raw.put(name, values(name, values)));
        ClientProxy.unwrap(state).members
                .forEach((name, values) -> raw.computeIfAbsent(name, absent -> new ArrayList<>()).addAll(values));
        Parameters parameters = Parameters.of(operation, raw);
        DatasetScope scope = DatasetScope.of(datasets, dataset, caller.tenant(parameters.text(QueryParameter.TENANT)));
        // A live stream begins with its first poll, and those who watch the same share its timeout.
        QueryContext context = operation == QueryKind.LIVE ? new QueryContext(limits, context().now(), context().freshness())
                : context();
        Q query = rollups.choose(scope, parameters, read -> queryOf.of(read, parameters, context));
        return new ApiRequest<>(query, closedAfter, context.hasFixedRange(parameters),
                parameters.flag(QueryParameter.SPREADSHEET, false));
    }

    private List<String> values(String name, List<String> texts) {
        if (name.equals(QueryParameter.LABELS.word())) {
            return new ArrayList<>(texts.stream().map(text -> ParameterFilter.label(json, text)).toList());
        }
        return new ArrayList<>(name.equals(QueryParameter.WHERE.word())
                ? texts.stream().map(ParameterFilter::condition).toList()
                : texts);
    }

}
