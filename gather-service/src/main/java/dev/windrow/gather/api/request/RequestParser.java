package dev.windrow.gather.api.request;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import jakarta.enterprise.context.ApplicationScoped;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;

import dev.windrow.dataset.Datasets;
import dev.windrow.gather.fanout.FanoutConfig;
import dev.windrow.gather.http.RequestQuery;
import dev.windrow.gather.query.DatasetScope;
import dev.windrow.gather.query.Parameters;
import dev.windrow.gather.query.QueryContext;
import dev.windrow.gather.query.QueryKind;
import dev.windrow.gather.query.QueryParameter;
import dev.windrow.gather.query.RollupChooser;
import dev.windrow.gather.security.Caller;

/** Reads requests about a dataset: parameters of the address, or of a JSON body for those too long for one. */
@ApplicationScoped
public class RequestParser {

    private final Datasets datasets;
    private final RollupChooser rollups;
    private final QueryContexts contexts;
    private final Duration closedAfter;
    private final Caller caller;
    private final RequestQuery address;
    private final BodyParameters posted;
    private final ObjectReader json;

    RequestParser(Datasets datasets, QueryContexts contexts, FanoutConfig fanout, Caller caller,
            RequestQuery address, BodyParameters posted, ObjectMapper json) {
        this.datasets = datasets;
        this.rollups = new RollupChooser(datasets);
        this.contexts = contexts;
        this.closedAfter = fanout.closedAfter();
        this.caller = caller;
        this.address = address;
        this.posted = posted;
        this.json = json.reader(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS,
                DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
    }

    /** Makes a query of a request's parts. */
    @FunctionalInterface
    public interface QueryOf<Q> {
        Q of(DatasetScope scope, Parameters parameters, QueryContext context);
    }

    /** Reads the parameters of the path, the query and the body. */
    public <Q> ApiRequest<Q> read(QueryKind operation, String dataset, QueryOf<Q> queryOf) {
        Map<String, List<String>> raw = new LinkedHashMap<>();
        address.parameters().forEach((name, values) -> raw.put(name, values(name, values)));
        posted.members()
                .forEach((name, values) -> raw.computeIfAbsent(name, absent -> new ArrayList<>()).addAll(values));
        Parameters parameters = Parameters.of(operation, raw);
        DatasetScope scope = DatasetScope.of(datasets, dataset, caller.tenant(parameters.text(QueryParameter.TENANT)));
        QueryContext context = contexts.current();
        Q query = rollups.choose(scope, parameters, read -> queryOf.of(read, parameters, context));
        return new ApiRequest<>(query, closedAfter, context.hasFixedRange(parameters),
                parameters.flag(QueryParameter.SPREADSHEET, false));
    }

    private List<String> values(String name, List<String> texts) {
        return name.equals(QueryParameter.LABELS.word())
                ? new ArrayList<>(texts.stream().map(text -> LabelList.read(json, text)).toList())
                : new ArrayList<>(texts);
    }
}
