package dev.windrow.base;

/** Who caused the failure, which determines the services that can encounter it. */
public enum FailureCause {

    /** Caused by the producer, and never retried: only the writer reads events. */
    EVENT,
    /** Caused by the operator; stops the service at startup. */
    DECLARATION,
    /** Caused by the client: only the gatherer answers queries. */
    QUERY,
    /** Caused by the environment: retried within bounds. */
    WORLD
}
