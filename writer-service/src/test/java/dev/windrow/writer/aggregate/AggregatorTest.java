package dev.windrow.writer.aggregate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import dev.windrow.writer.message.Message;
import dev.windrow.writer.testing.Shares;

class AggregatorTest {

    private static final long AGE = 1_000;
    private static final Instant SENT = Instant.parse("2026-11-20T10:31:40Z");

    private static final String YAML = """
            windrow:
              datasets:
                hits:
                  event-type: hit
                  label: [page]
                  granularities: [day]
                  measures: {hits: {type: count}}
            """;

    private final Shares shares = new Shares(YAML);
    private final Aggregator aggregator = new Aggregator(new AggregateLimits(100, 5, AGE, 3));
    private final Aggregator roomy = roomy();
    private int messages;

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
        other.hurry();
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
        List<Share> abandoned = share("a");
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

    @Test
    void theLedgerSlotThatHasJustBegunWaitsForItsOtherShares() {
        // Given
        List<Share> first = sent(0, 7);
        List<Share> second = sent(1, 1);
        roomy.add(first, 0);
        roomy.add(second, 900);

        // When
        SeriesBatch batch = roomy.takeDue(AGE, false).get(0);

        // Then
        assertThat(batch.shares()).isEqualTo(first);
        assertThat(roomy.pendingEvents()).isOne();
        roomy.done(batch);
        assertThat(roomy.takeDue(899 + AGE, false)).isEmpty();
        assertThat(roomy.takeDue(900 + AGE, false)).as("no older than the age").singleElement()
                .satisfies(late -> assertThat(late.shares()).isEqualTo(second));
        assertThat(roomy.pendingEvents()).isZero();
    }

    @Test
    void writesFallIntoStepWithTheSlotsWhereSharesAreMany() {
        // Given: a write that would begin near the end of each slot
        roomy.add(sent(0, 1), 0);
        roomy.add(sent(1, 9), 100);

        // When
        List<SeriesBatch> due = roomy.takeDue(AGE, false);

        // Then
        assertThat(due).singleElement().satisfies(batch -> assertThat(batch.shares()).hasSize(1));
        roomy.done(due.get(0));
        roomy.add(sent(2, 1), 99 + AGE);
        assertThat(roomy.takeDue(100 + AGE, false)).singleElement()
                .satisfies(batch -> assertThat(batch.shares()).hasSize(9));
    }

    @Test
    void sharesOfAnEarlierSlotThatComeLateGoFirst() {
        // Given
        List<Share> first = sent(0, 5);
        List<Share> late = sent(-7, 1);
        roomy.add(first, 0);
        roomy.add(sent(1, 6), 100);
        roomy.add(late, 100);

        // Then
        assertThat(roomy.takeDue(AGE, false)).singleElement().satisfies(
                batch -> assertThat(batch.shares()).containsAll(first).containsAll(late).hasSize(6));
    }

    @Test
    void holdsNothingBackThatIsOldOrAmongFewOrWhereRoomIsNeeded() {
        // Given
        roomy.add(sent(0, 6), 0);
        roomy.add(sent(1, 1), 1);
        Aggregator pressed = roomy();
        pressed.add(sent(0, 6), 0);
        pressed.add(sent(1, 1), 1);
        Aggregator few = roomy();
        few.add(sent(0, 4), 0);
        few.add(sent(1, 1), 1);

        // Then
        assertThat(roomy.takeDue(1 + AGE, false)).as("both are old").singleElement()
                .satisfies(batch -> assertThat(batch.shares()).hasSize(7));
        assertThat(pressed.takeDue(AGE, true)).singleElement()
                .satisfies(batch -> assertThat(batch.shares()).hasSize(7));
        assertThat(few.takeDue(AGE, false)).as("few in a slot's time").singleElement()
                .satisfies(batch -> assertThat(batch.shares()).hasSize(5));
    }

    @Test
    void aLargeRestIsDueAtOnce() {
        // Given
        roomy.add(sent(0, 7), 0);
        roomy.add(sent(1, 60), 1);

        // When
        SeriesBatch batch = roomy.takeDue(AGE, false).get(0);
        roomy.done(batch);

        // Then
        assertThat(batch.shares()).hasSize(7);
        assertThat(roomy.takeDue(AGE, false)).singleElement()
                .satisfies(rest -> assertThat(rest.shares()).hasSize(60));
    }

    @Test
    void theEndHoldsNothingBack() {
        roomy.add(sent(0, 6), 0);
        roomy.add(sent(1, 1), 0);
        roomy.hurry();
        assertThat(roomy.takeDue(0, false)).singleElement()
                .satisfies(batch -> assertThat(batch.shares()).hasSize(7));
    }

    @Test
    void holdsNothingBackWhereOrderCountsOrNoLedgerIsKept() {
        // Given
        Shares loose = new Shares(YAML + "      delivery: at-least-once\n");
        Message message = message(SENT, "a");
        Message grouped = new Message(message.queue(), message.id(), message.receipt(), message.body(),
                message.attributes(), message.sent(), message.firstReceived(), 1, "group");

        // When
        Aggregator plain = roomy();
        for (int i = 0; i < 7; i++) {
            plain.add(loose.of(message(SENT.plusSeconds(i / 6), "a")), i / 6);
        }
        Aggregator fifo = roomy();
        fifo.add(shares.of(grouped), 0);
        fifo.add(sent(0, 6), 0);
        fifo.add(sent(1, 1), 1);

        // Then
        assertThat(plain.takeDue(AGE, false)).singleElement().satisfies(batch -> assertThat(batch.shares()).hasSize(7));
        assertThat(fifo.takeDue(AGE, false)).singleElement().satisfies(batch -> assertThat(batch.shares()).hasSize(8));
    }

    @Test
    void withoutLedgerSecondsAreWhatWritesFallIntoStepWith() {
        // Given
        Shares seconds = new Shares(YAML.replace("[day]", "[second]") + "      delivery: at-least-once\n");
        List<Share> first = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            first.addAll(seconds.of(message(SENT.plusSeconds(i), "a")));
        }
        Message later = message(SENT.plusSeconds(7), "a");
        Message next = new Message(later.queue(), later.id(), later.receipt(), later.body().replace("10:00:00", "10:00:01"),
                later.attributes(), later.sent(), later.firstReceived(), 1, null);

        // When
        roomy.add(first, 0);
        roomy.add(seconds.of(next), 100);

        // Then
        assertThat(roomy.takeDue(AGE, false)).singleElement()
                .satisfies(batch -> assertThat(batch.shares()).isEqualTo(first));
        assertThat(roomy.pendingEvents()).isOne();
    }

    private static Aggregator roomy() {
        return new Aggregator(new AggregateLimits(100, 50, AGE, 3));
    }

    private void add(String page, long now) {
        aggregator.add(share(page), now);
    }

    private List<Share> share(String page) {
        return shares.of(message(SENT, page));
    }

    /** Shares of one series whose messages were sent in the same second. */
    private List<Share> sent(int second, int count) {
        List<Share> some = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            some.addAll(shares.of(message(SENT.plusSeconds(second), "a")));
        }
        return some;
    }

    private Message message(Instant sent, String page) {
        return Shares.message("m" + messages++, sent, "{\"type\":\"hit\",\"time\":\"2026-11-20T10:00:00Z\","
                + "\"attributes\":{\"page\":\"" + page + "\"}}");
    }
}
