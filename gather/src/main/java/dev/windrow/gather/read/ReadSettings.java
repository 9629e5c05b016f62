package dev.windrow.gather.read;

import java.time.Duration;

/**
 * Settings that operators need not change, but tests do.
 *
 * @param maxStreams maximum number of streams (NDJSON and CSV of buckets) running beside the queries; as many more may wait
 * @param slowClientTimeout a stream whose client reads nothing for this long is ended
 * @param attemptTimeout how long DynamoDB may take to answer one attempt of a read
 * @param breakerReads number of latest reads that the circuit breaker considers, of the last ten seconds
 * @param breakerDelay how long the circuit breaker stays open; reads fail at once meanwhile
 * @param lanesRefresh how long lanes and the registered datasets are used before they are read again
 * @param lanesTimeout how long a read of them may take
 * @param abandonedAfter how long a lane with unapplied records may stay unchanged before it counts as abandoned
 */
public record ReadSettings(int maxStreams, Duration slowClientTimeout, Duration attemptTimeout, int breakerReads,
        Duration breakerDelay, Duration lanesRefresh, Duration lanesTimeout, Duration abandonedAfter) {

    public static final ReadSettings DEFAULTS = new ReadSettings(
            // Each holds a page or two, so the memory of all is small beside that of queries.
            32,
            // Longer than a working client pauses.
            Duration.ofSeconds(30),
            // A fifth of a query's usual deadline, which leaves time for retries; DynamoDB answers in milliseconds or
            // not at all.
            Duration.ofSeconds(2),
            // Fewer than one wide query has in flight, so that a single query reveals an outage.
            100,
            // Short for users, and few reads for a table that is recovering.
            Duration.ofSeconds(2),
            // Answers are as of a second ago at worst, and lanes cost one read a second however many queries there are.
            Duration.ofSeconds(1),
            // A small part of a deadline: without it, queries are answered with the last lanes, and a warning.
            Duration.ofSeconds(1),
            // The limit of windrow.writer.journal.lease, after which another writer takes the lane over.
            Duration.ofMinutes(1));
}
