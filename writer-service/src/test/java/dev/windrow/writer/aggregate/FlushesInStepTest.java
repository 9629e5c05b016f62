package dev.windrow.writer.aggregate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import dev.windrow.writer.message.Message;
import dev.windrow.writer.message.MessageBody;
import dev.windrow.writer.message.SourceQueue;
import dev.windrow.writer.testing.TestContributions;

/** Flushes fall into step with what costs a write in each: ledger slots or, without a ledger, buckets. */
class FlushesInStepTest extends Gathering {

    private final Aggregator roomy = roomy();

    @Test
    void theLedgerSlotThatHasJustBegunWaitsForItsOtherShares() {
        // Given
        List<Contribution> first = sent(0, 7);
        List<Contribution> second = sent(1, 1);
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
        List<Contribution> first = sent(0, 5);
        List<Contribution> late = sent(-7, 1);
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
        List<Contribution> abandoned = sent(0, 7);
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
        TestContributions slots = new TestContributions(YAML + "      ledger-slots: 4\n");

        // When
        for (int i = 0; i < 21; i++) {
            aggregator.add(slots.of(message(SENT, "a")), i);
            assertThat(aggregator.takeDue(i, false)).hasSize(i == 19 ? 1 : 0);
        }
    }

    @Test
    void stepsAreSlotsOrSecondsOfEventIds() {
        // Given
        TestContributions slots = new TestContributions(YAML + "      ledger-slots: 4\n");
        TestContributions ids = new TestContributions(YAML + "      ledger-slots: 4\n      dedupe: event-id\n");

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
        AggregationPlan plan = shares.of(message(SENT, "a")).get(0).plan();
        AggregationPlan slots = new TestContributions(YAML + "      ledger-slots: 4\n").of(message(SENT, "a")).get(0).plan();
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
        roomy.flushNow();
        assertThat(roomy.takeDue(0, false)).singleElement()
                .satisfies(batch -> assertThat(batch.shares()).hasSize(7));
    }

    @Test
    void holdsNothingBackWhereOrderCountsOrNothingRecurs() {
        // Given
        TestContributions loose = new TestContributions(YAML.replace("day", "minute") + "      delivery: at-least-once\n");
        TestContributions extremes = new TestContributions(
                YAML.replace("{hits: {type: count}}", "{most: {type: max, attribute: page}}"));
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
        TestContributions seconds = new TestContributions(YAML.replace("day", "second") + "      delivery: at-least-once\n");
        List<Contribution> first = new ArrayList<>();
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

    private static Aggregator roomy() {
        return new Aggregator(new AggregateLimits(100, 50, AGE, 3));
    }

    private static Message withBody(Message message, String body) {
        return new Message(message.queue(), message.id(), message.receipt(), MessageBody.of(body), message.attributes(),
                message.sent(),
                message.firstReceived(), 1, null);
    }

    private static Message grouped(Message message, boolean fifo) {
        SourceQueue queue = message.queue();
        return new Message(
                new SourceQueue(queue.name(), queue.url(), fifo, queue.visibility(), queue.retention(), queue.deadLetterUrl()),
                message.id(), message.receipt(), message.body(), message.attributes(), message.sent(),
                message.firstReceived(), 1, "group");
    }
}
