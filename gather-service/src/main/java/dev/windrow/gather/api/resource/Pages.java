package dev.windrow.gather.api.resource;

import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.windrow.gather.api.rendering.Page;
import dev.windrow.gather.api.rendering.QueryExplanation;
import dev.windrow.gather.api.rendering.Warning;
import dev.windrow.gather.api.request.ApiRequest;
import dev.windrow.gather.execution.Execution;
import dev.windrow.gather.query.RangeQuery;

/** Makes pages of executions. */
final class Pages {

    private Pages() {
    }

    /** @param next the cursor of the next page; null if there is none */
    static <T> Page<T> of(ApiRequest<? extends RangeQuery> request, Execution<List<T>> execution, @Nullable String next) {
        RangeQuery query = request.query();
        return new Page<>(execution.result(), execution.isComplete(), execution.asOf().orElse(null), next,
                Warning.of(execution),
                QueryExplanation.requested(query, execution),
                request.cacheLifetime(query.latestRange(), query.options(), execution));
    }
}
