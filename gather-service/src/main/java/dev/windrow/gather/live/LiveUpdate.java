package dev.windrow.gather.live;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

import dev.windrow.gather.fanout.GatherReport;
import dev.windrow.gather.plan.Bucket;

/**
 * The news for a watcher.
 *
 * @param from the earliest start watched; empty before the first poll
 * @param changed buckets that are new or have other values, in key order
 * @param report of the latest poll, if it was not complete
 * @param failure of the latest poll, if it failed
 * @param last whether nothing more will come
 */
record LiveUpdate(Optional<Instant> from, List<Bucket> changed, Optional<GatherReport> report,
        Optional<Throwable> failure, boolean last) {
}
