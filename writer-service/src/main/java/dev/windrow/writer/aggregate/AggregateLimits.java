package dev.windrow.writer.aggregate;

/**
 * When gathered shares are due.
 *
 * @param events once that many events are pending, every series is
 * @param seriesShares once a series has that many shares for each of its ledger slots in a second, it is
 * @param ageNanos once a series' oldest share is that old, it is
 * @param concurrentSeries maximum number of series that are written at a time
 */
public record AggregateLimits(long events, int seriesShares, long ageNanos, int concurrentSeries) {
}
