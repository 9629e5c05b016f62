package dev.windrow.gather.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;

import org.junit.jupiter.api.Test;

import dev.windrow.base.Reason;
import dev.windrow.dataset.Granularity;
import dev.windrow.gather.live.LiveSubscriber.LiveUpdate;
import dev.windrow.gather.plan.Bucket;
import dev.windrow.gather.plan.MeasureValues;
import dev.windrow.gather.read.GatherException;
import dev.windrow.gather.read.HeldMemory;
import dev.windrow.table.Label;

class LiveSubscriberTest {

    @Test
    void aSlowReaderLearnsWhyItsWatchEndedThoughPollsGoOn() {
        // Given
        LiveSubscriber slow = new LiveSubscriber(1, HeldMemory.ofHeap(Long.MAX_VALUE).share());
        slow.add(Instant.EPOCH, List.of(bucket("a"), bucket("b")), null);

        // When
        slow.add(Instant.EPOCH, List.of(bucket("a")), null);
        slow.fail(new GatherException(Reason.UNAVAILABLE, "not now"), false);

        // Then
        LiveUpdate news = slow.take();
        assertThat(news.last()).isTrue();
        assertThat(news.failure())
                .hasValueSatisfying(failure -> assertThat(GatherException.reasonOf(failure)).isEqualTo(Reason.OVERLOADED));
        assertThat(news.changed()).isEmpty();
    }

    private static Bucket bucket(String label) {
        return new Bucket(Instant.EPOCH + "#" + label, Label.of(label), Granularity.MINUTE, MeasureValues.none(List.of()));
    }
}
