package dev.windrow.gather.api.description;

import java.util.List;
import java.util.Map;

import dev.windrow.gather.query.QueryKind;
import dev.windrow.gather.query.QueryParameter;

/**
 * A valid request of each kind: tools fill in all examples of a description at once, so the examples of one operation must
 * make one valid request. They fit the datasets of the quick start.
 */
final class SampleRequest {

    /** The dataset in the path. */
    static final String DATASET = "clicks";

    private SampleRequest() {
    }

    /** The parameters, each with a value of its JSON type. */
    static Map<QueryParameter, Object> parameters(QueryKind kind) {
        return switch (kind) {
            case BUCKETS -> Map.of(QueryParameter.GRANULARITY, "hour", QueryParameter.LIMIT, 10);
            case SERIES -> Map.of(QueryParameter.GRANULARITY, "day");
            case TOTALS -> Map.of();
            case TOP -> Map.of(QueryParameter.BY, "events", QueryParameter.N, 10, QueryParameter.GROUP_BY, List.of("referrer"));
            case BUSIEST -> Map.of(QueryParameter.GRANULARITY, "hour", QueryParameter.BY, "events", QueryParameter.N, 10);
            case COMPARE -> Map.of(QueryParameter.LAST, "7d", QueryParameter.AGAINST, "previous");
            case POSITION -> Map.of(QueryParameter.LABEL, List.of("https://example.org/"), QueryParameter.BY, "events",
                    QueryParameter.AROUND, 2);
            case LIVE -> Map.of(QueryParameter.GRANULARITY, "hour", QueryParameter.WINDOW, "2h");
        };
    }
}
