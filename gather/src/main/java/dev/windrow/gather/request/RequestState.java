package dev.windrow.gather.request;

import java.util.List;
import java.util.Map;

import jakarta.enterprise.context.RequestScoped;

import dev.windrow.gather.plan.TableFreshness;

/** The findings of filters about the current request. Unwrap the proxy to read them: it has no fields of its own. */
@RequestScoped
class RequestState {

    /** The parameters in the body; empty except for POST. */
    Map<String, List<String>> members = Map.of();
    /** How fresh the table's buckets were before the query was planned; unknown for requests that do not need it. */
    TableFreshness freshness = TableFreshness.UNKNOWN;
}
