package dev.windrow.writer.aggregate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;

import org.junit.jupiter.api.Test;

class AggregatorTest extends Gathering {

    @Test
    void keepsASeriesUntilItIsOldEnough() {
        add("a", 0);
        assertThat(aggregator.takeDue(AGE - 1, false)).isEmpty();
        List<SeriesBatch> due = aggregator.takeDue(AGE, false);
        assertThat(due).singleElement().satisfies(batch -> assertThat(batch.shares()).hasSize(1));
        assertThat(aggregator.pendingEvents()).isZero();
    }

    @Test
    void takesALargeSeriesAtOnce() {
        for (int i = 0; i < 5; i++) {
            add("a", i);
        }
        add("b", 5);
        assertThat(aggregator.takeDue(6, false)).singleElement()
                .satisfies(batch -> assertThat(batch.shares()).hasSize(5));
    }

    @Test
    void aLargeSeriesLeavesASmallRestToGatherMore() {
        for (int i = 0; i < 12; i++) {
            add("a", i);
        }
        SeriesBatch large = aggregator.takeDue(12, false).get(0);
        assertThat(large.shares()).as("two times five").hasSize(10);
        aggregator.done(large);
        assertThat(aggregator.takeDue(13, false)).isEmpty();
        assertThat(aggregator.pendingEvents()).isEqualTo(2);
        assertThat(aggregator.takeDue(AGE, false)).as("no older than the age").singleElement()
                .satisfies(batch -> assertThat(batch.shares()).hasSize(2));
    }

    @Test
    void aSeriesThatGrewLargeWhileItWasWrittenIsDueAtOnce() {
        add("a", 0);
        add("b", 1);
        SeriesBatch writing = aggregator.takeDue(AGE, false).get(0);
        for (int i = 0; i < 5; i++) {
            add("a", AGE);
        }
        assertThat(aggregator.takeDue(AGE, false)).isEmpty();
        aggregator.done(writing);
        assertThat(aggregator.takeDue(AGE, false)).singleElement()
                .satisfies(batch -> assertThat(batch.shares()).hasSize(5));
    }

    @Test
    void takesEverythingWhenMuchIsPendingOrNoRoomIsLeftOrTheEndIsNear() {
        add("a", 0);
        assertThat(aggregator.takeDue(0, true)).hasSize(1);
        for (int i = 0; i < 100; i++) {
            add("x" + i % 50, 0);
        }
        assertThat(aggregator.takeDue(0, false)).as("as many as may be written at a time").hasSize(2);
        Aggregator other = new Aggregator(new AggregateLimits(100, 5, AGE, 3));
        other.add(share("a"), 0);
        other.flushNow();
        assertThat(other.takeDue(0, false)).hasSize(1);
    }

    @Test
    void writesNoSeriesTwiceAtATimeAndGoesOnGathering() {
        // Given
        add("a", 0);
        SeriesBatch writing = aggregator.takeDue(AGE, false).get(0);

        // When
        add("a", AGE + 1);
        add("a", AGE + 2);

        // Then
        assertThat(aggregator.takeDue(10 * AGE, true)).isEmpty();
        aggregator.done(writing);
        assertThat(aggregator.takeDue(AGE + 3, false)).as("its own age counts").isEmpty();
        assertThat(aggregator.takeDue(2 * AGE + 1, false)).singleElement()
                .satisfies(batch -> assertThat(batch.shares()).hasSize(2));
        assertThatThrownBy(() -> aggregator.done(new SeriesBatch(share("b"))))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void dropsSharesOfAbandonedMessages() {
        List<Contribution> abandoned = share("a");
        aggregator.add(abandoned, 0);
        add("a", 1);
        abandoned.get(0).message().abandon();
        assertThat(aggregator.takeDue(AGE + 1, false)).singleElement()
                .satisfies(batch -> assertThat(batch.shares()).hasSize(1).doesNotContainAnyElementsOf(abandoned));
    }

    @Test
    void isEmptyOnceAllIsWritten() {
        add("a", 0);
        aggregator.takeDue(AGE, false).forEach(aggregator::done);
        assertThat(aggregator.isEmpty()).isTrue();
    }
}
