package dev.windrow.gather.api.request;

import jakarta.enterprise.context.RequestScoped;

import dev.windrow.gather.query.TableFreshness;

/** How fresh the table's buckets were before the request was planned; unknown for requests that do not need it. */
@RequestScoped
class RequestFreshness {

    private TableFreshness freshness = TableFreshness.UNKNOWN;

    void set(TableFreshness read) {
        freshness = read;
    }

    TableFreshness get() {
        return freshness;
    }
}
