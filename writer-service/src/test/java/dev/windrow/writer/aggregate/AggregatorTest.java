package dev.windrow.writer.aggregate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import dev.windrow.writer.message.Body;
import dev.windrow.writer.message.Message;
import dev.windrow.writer.message.Queue;
import dev.windrow.writer.testing.Shares;

class AggregatorTest {

    private static final long AGE = TimeUnit.SECONDS.toNanos(1);
    private static final Instant TEN = Instant.parse("2026-11-20T10:00:00Z");
    private static final Instant SENT = Instant.parse("2026-11-20T10:31:40Z");

    private static final String YAML = """
            windrow:
              datasets:
                hits:
                  event-type: hit
                  label: [page]
                  granularities: [day]
                  index: [day]
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
        few.add(sent(0, 1), 0);
        few.add(sent(1, 1), 1);

        // Then
        assertThat(roomy.takeDue(1 + AGE, false)).as("both are old").singleElement()
                .satisfies(batch -> assertThat(batch.shares()).hasSize(7));
        assertThat(pressed.takeDue(AGE, true)).singleElement()
                .satisfies(batch -> assertThat(batch.shares()).hasSize(7));
        assertThat(few.takeDue(AGE, false)).as("few in a slot's time").singleElement()
                .satisfies(batch -> assertThat(batch.shares()).hasSize(2));
    }

    @Test
    void aLatestSlotThatIsLargeWaitsForNothing() {
        roomy.add(sent(0, 7), 0);
        roomy.add(sent(1, 50), 1);
        assertThat(roomy.takeDue(AGE, false)).singleElement()
                .satisfies(batch -> assertThat(batch.shares()).hasSize(57));
    }

    @Test
    void whatWasLeftCanGrowLarge() {
        // Given
        roomy.add(sent(0, 7), 0);
        roomy.add(sent(1, 40), 100);
        SeriesBatch first = roomy.takeDue(AGE, false).get(0);

        // When
        roomy.add(sent(1, 10), AGE);
        roomy.done(first);

        // Then
        assertThat(first.shares()).hasSize(7);
        assertThat(roomy.takeDue(AGE, false)).singleElement()
                .satisfies(batch -> assertThat(batch.shares()).hasSize(50));
    }

    @Test
    void whatWasLeftIsStillThereIfAllThatIsTakenWasAbandoned() {
        // Given
        List<Share> abandoned = sent(0, 7);
        roomy.add(abandoned, 0);
        roomy.add(sent(1, 1), 100);

        // When
        abandoned.forEach(share -> share.message().abandon());

        // Then
        assertThat(roomy.takeDue(AGE, false)).isEmpty();
        assertThat(roomy.takeDue(100 + AGE, false)).singleElement()
                .satisfies(batch -> assertThat(batch.shares()).hasSize(1));
        assertThat(roomy.pendingEvents()).isZero();
    }

    @Test
    void aLabelWithManySlotsIsLargeWithThatManyTimesTheShares() {
        // Given
        Shares slots = new Shares(YAML + "      ledger-slots: 4\n");

        // When
        for (int i = 0; i < 21; i++) {
            aggregator.add(slots.of(message(SENT, "a")), i);
            assertThat(aggregator.takeDue(i, false)).hasSize(i == 19 ? 1 : 0);
        }
    }

    @Test
    void stepsAreSlotsOrSecondsOfEventIds() {
        // Given
        Shares slots = new Shares(YAML + "      ledger-slots: 4\n");
        Shares ids = new Shares(YAML + "      ledger-slots: 4\n      dedupe: event-id\n");

        // Then
        assertThat(slots.of(message(SENT.plusMillis(749), "a")).get(0).step())
                .isEqualTo(SENT.getEpochSecond() * 4 + 2);
        assertThat(slots.of(message(SENT.plusMillis(750), "a")).get(0).step())
                .isEqualTo(SENT.getEpochSecond() * 4 + 3);
        for (int i = 0; i < 20; i++) {
            Message message = message(SENT, "a");
            Message withId = withBody(message, message.body().toString().replace("{\"type", "{\"id\":\"" + i + "\",\"type"));
            assertThat(ids.of(withId).get(0).step()).isEqualTo(TEN.getEpochSecond());
        }
    }

    @Test
    void stepsPayWhereTheAgeIsAWholeNumberOfThemAndSharesAreMany() {
        Plan plan = shares.of(message(SENT, "a")).get(0).plan();
        Plan slots = new Shares(YAML + "      ledger-slots: 4\n").of(message(SENT, "a")).get(0).plan();
        assertThat(plan.fewestInStep(AGE)).as("a bucket, a slot, half an index entry").isEqualTo(3);
        assertThat(plan.fewestInStep(10 * AGE)).isEqualTo(12);
        assertThat(slots.fewestInStep(AGE)).isEqualTo(6);
        assertThat(slots.fewestInStep(AGE / 4)).isEqualTo(3);
        assertThat(plan.fewestInStep(AGE * 9 / 10)).isEqualTo(Long.MAX_VALUE);
        assertThat(plan.fewestInStep(AGE * 3 / 2)).isEqualTo(Long.MAX_VALUE);
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
    void holdsNothingBackWhereOrderCountsOrNothingRecurs() {
        // Given
        Shares loose = new Shares(YAML.replace("day", "minute") + "      delivery: at-least-once\n");
        Shares extremes = new Shares(YAML.replace("{hits: {type: count}}", "{most: {type: max, attribute: page}}"));
        Aggregator plain = roomy();
        Aggregator without = roomy();
        Aggregator fifo = roomy();
        Aggregator standard = roomy();

        // When
        for (int i = 0; i < 7; i++) {
            Message message = message(SENT.plusSeconds(i / 6), "a");
            Message minute = withBody(message, message.body().toString().replace("10:00:00", "10:0" + i / 6 + ":00"));
            plain.add(loose.of(minute), i / 6);
            without.add(extremes.of(withBody(message, message.body().toString().replace("\"a\"", "1"))), i / 6);
            fifo.add(shares.of(grouped(message, true)), i / 6);
            standard.add(shares.of(grouped(message, false)), i / 6);
        }

        // Then
        for (Aggregator all : List.of(plain, without, fifo)) {
            assertThat(all.takeDue(AGE, false)).singleElement().satisfies(batch -> assertThat(batch.shares()).hasSize(7));
        }
        assertThat(standard.takeDue(AGE, false)).singleElement()
                .satisfies(batch -> assertThat(batch.shares()).as("groups of a standard queue have no order").hasSize(6));
    }

    @Test
    void withoutLedgerSecondsAreWhatWritesFallIntoStepWith() {
        // Given
        Shares seconds = new Shares(YAML.replace("day", "second") + "      delivery: at-least-once\n");
        List<Share> first = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            first.addAll(seconds.of(message(SENT.plusSeconds(i), "a")));
        }
        Message later = message(SENT.plusSeconds(7), "a");
        Message next = withBody(later, later.body().toString().replace("10:00:00", "10:00:01"));

        // When
        roomy.add(first, 0);
        roomy.add(seconds.of(next), 100);

        // Then
        assertThat(roomy.takeDue(AGE, false)).singleElement()
                .satisfies(batch -> assertThat(batch.shares()).isEqualTo(first));
        assertThat(roomy.pendingEvents()).isOne();
    }

    private static Message withBody(Message message, String body) {
        return new Message(message.queue(), message.id(), message.receipt(), Body.of(body), message.attributes(),
                message.sent(),
                message.firstReceived(), 1, null);
    }

    private static Message grouped(Message message, boolean fifo) {
        Queue queue = message.queue();
        return new Message(
                new Queue(queue.name(), queue.url(), fifo, queue.visibility(), queue.retention(), queue.deadLetterUrl()),
                message.id(), message.receipt(), message.body(), message.attributes(), message.sent(),
                message.firstReceived(), 1, "group");
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
        return Shares.message("m" + messages++, sent, "{\"type\":\"hit\",\"time\":\"" + TEN + "\","
                + "\"attributes\":{\"page\":\"" + page + "\"}}");
    }
}
