package dev.windrow.gather.fanout;

import java.util.Optional;

import org.jspecify.annotations.Nullable;

import dev.windrow.gather.query.ShardQuery;
import io.smallrye.mutiny.Uni;

/**
 * One shard of a stage: where its reading stands. Used by one thread at a time, but for the outcome of a read, and for
 * {@link #cancel}.
 */
final class ShardState {

    private static final int DRY_PAGE_GROWTH = 4;

    private final ShardQuery query;
    private Optional<ShardPage.Position> position = Optional.empty();
    private int requested;
    private int dryPage;
    private volatile @Nullable PendingRead inFlight;

    ShardState(ShardQuery query) {
        this.query = query;
    }

    ShardQuery query() {
        return query;
    }

    Optional<ShardPage.Position> position() {
        return position;
    }

    boolean isAsked() {
        return inFlight != null;
    }

    /** The size of the next page: a page that a filter let nothing through of is followed by one several times as long. */
    int pageSize(int usual, int largest) {
        return dryPage == 0 ? usual : Math.max(usual, Math.min(largest, DRY_PAGE_GROWTH * dryPage));
    }

    /** @param limit the page's */
    void read(Uni<ShardPage> read, int limit) {
        requested = limit;
        PendingRead started = new PendingRead();
        inFlight = started;
        read.subscribe().withSubscriber(started);
    }

    /** Has the outcome of the read that is under way awaited, if one is. */
    void await(Arrivals arrivals) {
        PendingRead read = inFlight;
        if (read != null) {
            arrivals.add(read);
        }
    }

    /** The read once it has its outcome; each is given once. */
    @Nullable
    PendingRead takeEnded() {
        PendingRead read = inFlight;
        if (read == null || !read.isEnded()) {
            return null;
        }
        inFlight = null;
        ShardPage page = read.page();
        if (page != null) {
            position = page.next();
            dryPage = page.items().isEmpty() ? requested : 0;
        }
        return read;
    }

    /** Gives up the read under way. */
    void cancel() {
        PendingRead read = inFlight;
        inFlight = null;
        if (read != null) {
            read.cancel();
        }
    }
}
