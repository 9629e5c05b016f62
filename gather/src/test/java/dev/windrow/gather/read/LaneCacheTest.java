package dev.windrow.gather.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import dev.windrow.base.Reason;
import dev.windrow.dataset.Granularity;
import dev.windrow.gather.plan.TableFreshness;
import dev.windrow.gather.plan.TableFreshness.AbandonedLane;
import dev.windrow.gather.plan.TimeRange;
import dev.windrow.table.Freshness.Watermark;
import dev.windrow.table.Lane;
import dev.windrow.testing.Patience;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;

class LaneCacheTest {

    private static final Instant NOW = Instant.parse("2026-11-22T10:00:00Z");
    private static final Watermark HOUR = new Watermark("hour", 3, NOW.minusSeconds(20).toEpochMilli(),
            Instant.parse("2026-11-22T09:00:00Z").getEpochSecond());

    private final List<UniEmitter<? super List<Lane>>> reads = new ArrayList<>();
    private long nanos = 5;
    private final Lanes cache = new Lanes(
            () -> Uni.createFrom().emitter(reads::add), Clock.fixed(NOW, ZoneOffset.UTC), () -> nanos, Duration.ofSeconds(1),
            Patience.LIMIT, Duration.ofMinutes(1), failure -> {
            });

    @Test
    void queriesShareOneReadAndItsResultForAMoment() {
        var first = cache.current().subscribeAsCompletionStage();
        var second = cache.current().subscribeAsCompletionStage();
        assertThat(reads).hasSize(1);

        answer(0, lane(3, 7, true));

        assertThat(first.join()).isEqualTo(second.join());
        assertThat(first.join().lagsFrom(Granularity.HOUR)).isEqualTo(Instant.parse("2026-11-22T09:00:00Z"));
        assertThat(first.join().asOf(Granularity.HOUR, TimeRange.END)).contains(NOW.minusSeconds(20));
        assertThat(first.join().asOf(Granularity.DAY, TimeRange.END)).contains(NOW);

        nanos += TimeUnit.SECONDS.toNanos(1) - 1;
        assertThat(current()).isEqualTo(first.join());
        nanos++;
        var later = cache.current().subscribeAsCompletionStage();
        assertThat(reads).hasSize(2);
        assertThat(later).isNotDone();
    }

    @Test
    void aQueryThatIsGivenUpDoesNotEndTheReadOfOthers() {
        var given = cache.current().subscribeAsCompletionStage();
        var other = cache.current().subscribeAsCompletionStage();
        given.cancel(true);

        answer(0);

        assertThat(other.join().readAt()).contains(NOW);
    }

    @Test
    void ifLanesCannotBeReadTheLastOnesHoldAndTheReasonIsGiven() {
        read(lane(3, 7, true));
        nanos += TimeUnit.SECONDS.toNanos(2);
        var failed = cache.current().subscribeAsCompletionStage();
        reads.get(1).fail(new GatherException(Reason.ACCESS_DENIED, "denied"));

        assertThat(failed.join().failure()).contains(Reason.ACCESS_DENIED);
        assertThat(failed.join().asOf(Granularity.HOUR, TimeRange.END)).contains(NOW.minusSeconds(20));
        assertThat(current()).as("not read again at once").isEqualTo(failed.join());

        nanos += TimeUnit.SECONDS.toNanos(2);
        assertThat(read().failure()).isEmpty();
    }

    @Test
    void nothingIsKnownIfLanesNeverCouldBeRead() {
        var failed = cache.current().subscribeAsCompletionStage();
        reads.get(0).fail(new GatherException(Reason.ACCESS_DENIED, "denied"));

        assertThat(failed.join().readAt()).isEmpty();
        assertThat(failed.join().asOf(Granularity.HOUR, TimeRange.END)).isEmpty();
        assertThat(failed.join().lagsFrom(Granularity.HOUR)).isEqualTo(TimeRange.END);
    }

    @Test
    void aLaneWithWorkThatDoesNotChangeForAMinuteIsAbandoned() {
        read(lane(3, 7, true), lane(4, 1, false));
        nanos += TimeUnit.SECONDS.toNanos(59);
        assertThat(read(lane(3, 7, true), lane(4, 1, false)).abandoned()).isEmpty();
        nanos += TimeUnit.SECONDS.toNanos(1);
        TableFreshness minuteLater = read(lane(3, 7, true), lane(4, 1, false));

        assertThat(minuteLater.abandoned()).containsExactly(new AbandonedLane(3, "writer-3", List.of(HOUR)));
        assertThat(cache.abandoned()).isEqualTo(1);

        nanos += TimeUnit.SECONDS.toNanos(1);
        assertThat(read(lane(3, 8, true), lane(4, 1, false)).abandoned()).as("somebody wrote it").isEmpty();
    }

    private TableFreshness read(Lane... lanes) {
        var read = cache.current().subscribeAsCompletionStage();
        answer(reads.size() - 1, lanes);
        return read.join();
    }

    private TableFreshness current() {
        return cache.current().await().atMost(Patience.LIMIT);
    }

    private void answer(int read, Lane... lanes) {
        reads.get(read).complete(List.of(lanes));
    }

    private static Lane lane(int number, long beat, boolean hasWork) {
        return new Lane(number, 1, beat, "writer-" + number, hasWork ? 1 : 0, 0, 0, hasWork ? List.of(HOUR) : List.of(),
                List.of());
    }
}
