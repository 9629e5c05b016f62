package dev.windrow.writer.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.windrow.dataset.MeasureKind;
import dev.windrow.dataset.MeasureValue;
import dev.windrow.table.Freshness;
import dev.windrow.table.Lane;
import dev.windrow.table.Parking;
import dev.windrow.table.Watermark;
import dev.windrow.time.Granularity;
import dev.windrow.writer.journal.ClaimCycle.FlushTimes;
import dev.windrow.writer.journal.simulation.Direct;
import dev.windrow.writer.record.Addition;
import dev.windrow.writer.record.BucketItem;
import dev.windrow.writer.record.CellKey;
import dev.windrow.writer.record.Change;
import dev.windrow.writer.record.ClaimId;
import dev.windrow.writer.record.ClaimUnit;
import dev.windrow.writer.record.JournalRecord;
import dev.windrow.writer.record.RecordCodec;
import dev.windrow.writer.testing.TestMessage;
import dev.windrow.writer.testing.UsualSettings;

class JournalWriterTest {

    private static final BucketItem MINUTE = new BucketItem("label", "minute#1", null);
    private static final BucketItem DAY = new BucketItem("label", "day#1", null);
    private static final BucketItem OTHER = new BucketItem("other", "minute#1", null);

    private final Direct direct = new Direct();
    private long hash;

    @Test
    void fineBucketsAreWrittenAtOnceAndCoarseOnesSeldom() {
        direct.start(UsualSettings.of("writer"));
        for (int second = 0; second < 120; second++) {
            direct.receive(message(addition(MINUTE, "minute", 1), addition(DAY, "day", 1)));
            direct.run(1_000);
        }

        assertThat(updatesOf(MINUTE)).isGreaterThan(50);
        assertThat(updatesOf(DAY)).isZero();

        direct.run(240_000);

        assertThat(updatesOf(DAY)).isEqualTo(1);
        assertThat(direct.sum(DAY, "events")).isEqualByComparingTo("120");
        direct.checkBuckets();
    }

    @Test
    void lanesTellUpToWhenAGranularityIsWhole() {
        direct.start(UsualSettings.of("writer"));
        direct.receive(message(addition(MINUTE, "minute", 1), addition(DAY, "day", 1)));
        direct.run(2_000);
        long claimed = direct.now().millis();
        direct.run(30_000);

        long read = direct.now().millis();
        Freshness freshness = new Freshness(read, direct.lane(0).watermarks());
        assertThat(freshness.asOf("day", Long.MAX_VALUE)).isLessThan(claimed);
        assertThat(freshness.asOf("minute", Long.MAX_VALUE)).isEqualTo(read);
        assertThat(freshness.asOf("hour", Long.MAX_VALUE)).isEqualTo(read);
    }

    @Test
    void lanesTellFromWhichStartOnAGranularityLags() {
        BucketItem hour1 = new BucketItem("label", "hour#1970-01-01T01:00:00Z", null);
        BucketItem hour2 = new BucketItem("other", "hour#1970-01-01T02:00:00Z", null);
        direct.start(UsualSettings.of("writer"));
        direct.receive(message(addition(hour2, "hour", 1)));
        direct.run(10_000);
        assertThat(direct.lane(0).watermarks()).extracting(Watermark::earliestStart).containsExactly(7_200L);

        // The watermark is written with the claim itself, not after it.
        direct.receive(message(addition(hour1, "hour", 1)));
        direct.run(2_000);
        assertThat(direct.requests(Request.ClaimMessages.class)).hasSize(2).last()
                .satisfies(claim -> assertThat(claim.update().watermarks()).singleElement()
                        .satisfies(watermark -> assertThat(watermark.earliestStart()).isEqualTo(3_600)));

        // The bucket with the later start is applied first, as it has waited longer.
        direct.run(23_000);
        assertThat(direct.sum(hour2, "events")).isEqualByComparingTo("1");
        assertThat(direct.lane(0).watermarks()).extracting(Watermark::earliestStart).containsExactly(3_600L);
        direct.run(20_000);
        assertThat(direct.lane(0).watermarks()).isEmpty();
    }

    @Test
    void crowdedCellsAreWrittenEarlyAndAtTheLimitNothingIsClaimed() {
        JournalSettings few = settings("writer", 40, 1_000);
        direct.start(few);
        for (int second = 0; second < 200; second++) {
            direct.receive(message(addition(new BucketItem("label-" + second, "day#1", null), "day", 1)));
            direct.run(500);
        }

        assertThat(direct.requests(Request.ApplySums.class).size()).isBetween(150, 200);
    }

    @Test
    void claimedMessagesAreDeletedBeforeTheyAreAppliedIfThatIsUrgent() {
        // Given
        direct.start(new JournalSettings("writer", Duration.ofSeconds(1), Duration.ofSeconds(20), Duration.ofDays(15),
                Duration.ofSeconds(15), 16, 1_000, 1_000, ClaimLimits.DEFAULTS, Duration.ofMinutes(1),
                new WriteEvery(Map.of(Granularity.MINUTE, Duration.ofSeconds(5))), Duration.ZERO,
                JournalSettings.DEFER_AFTER));
        direct.receive(message(addition(MINUTE, "minute", 1)));
        direct.run(2_000);
        direct.receive(message(addition(MINUTE, "minute", 1)));
        direct.run(2_000);
        assertThat(direct.requests(Request.ClaimMessages.class)).hasSize(2);
        assertThat(direct.requests(Request.DeleteMessage.class)).isEmpty();

        // When
        direct.setUrgent(new MemoryShortage(false, true, false));
        direct.run(100);

        // Then
        assertThat(direct.requests(Request.DeleteMessage.class)).hasSize(2);
        assertThat(direct.sum(MINUTE, "events")).isZero();
        direct.run(5_000);
        assertThat(direct.sum(MINUTE, "events")).isEqualByComparingTo("2");
    }

    @Test
    void bucketsAreWrittenLessOftenInABacklog() {
        // Given
        direct.start(UsualSettings.of("writer"));
        direct.setUrgent(new MemoryShortage(false, true, true));

        // When
        for (int second = 0; second < 50; second++) {
            direct.receive(message(addition(MINUTE, "minute", 1)));
            direct.run(1_000);
        }

        // Then
        assertThat(direct.requests(Request.ApplySums.class)).hasSizeBetween(8, 10);
        assertThat(direct.requests(Request.DeleteMessage.class)).hasSizeBetween(48, 50);

        // When
        direct.setUrgent(MemoryShortage.NONE);
        direct.run(2_100);

        // Then
        assertThat(direct.sum(MINUTE, "events")).isEqualByComparingTo("50");
    }

    @Test
    void aLaneWithRecordsOfANewerFormatIsReportedAndLeft() {
        Lane newer = new Lane(0, 3, 7, "newer", 5, 4, RecordCodec.DEFERRED_FORMAT + 1, List.of(new Watermark("day", 4, 0, 0)),
                List.of(), 0, "");
        direct.put(newer);
        direct.start(UsualSettings.of("writer"));
        direct.run(60_000);

        assertThat(direct.requests(Request.ReportUnreadable.class)).singleElement().satisfies(report -> {
            assertThat(report.lane()).isZero();
            assertThat(report.detail()).isEqualTo("expected records of format 2 at most, found 3");
        });
        assertThat(direct.lane(0)).isEqualTo(newer);
    }

    @Test
    void aLaneWhoseRecordIsGoneIsReportedOnceAndRecoveredWhenTheRecordIsThere() {
        // Given
        direct.put(new Lane(0, 3, 7, "killed", 5, 4, RecordCodec.FORMAT, List.of(new Watermark("day", 4, 0, 0)), List.of(), 0,
                ""));
        JournalWriter writer = direct.start(UsualSettings.of("writer"));
        direct.receive(message(addition(MINUTE, "minute", 1)));
        direct.run(120_000);
        Lane given = direct.lane(0);

        // When
        direct.run(3_600_000);

        // Then the record is looked for rarely, and everything else goes on
        assertThat(direct.requests(Request.ReportUnreadable.class)).singleElement().satisfies(report -> {
            assertThat(report.position()).isEqualTo(5);
            assertThat(report.detail()).isEqualTo("expected a journal record, found none");
        });
        assertThat(direct.lane(0)).isEqualTo(given);
        assertThat(given.hasWork()).isTrue();
        assertThat(writer.status().abandoned()).isEqualTo(1);
        assertThat(direct.requests(Request.ReadRecord.class)).hasSizeBetween(5, 30);
        assertThat(direct.sum(MINUTE, "events")).isEqualByComparingTo("1");

        // When
        direct.put(0, 5, new JournalRecord(direct.now().millis(), List.of(addition(OTHER, "minute", 1))));
        direct.run(600_000);

        // Then
        assertThat(direct.sum(OTHER, "events")).isEqualByComparingTo("1");
        assertThat(direct.lane(0).hasWork()).isFalse();
        assertThat(direct.requests(Request.ReportUnreadable.class)).hasSize(1);
    }

    @Test
    void aLaneWhoseItemCannotBeReadIsReportedOnceAndLeftUntilItCan() {
        // Given a damaged lane, and behind it another one with work
        Lane damaged = Lane.unreadable(0, "expected an epoch above 0, found 0");
        direct.put(damaged);
        direct.put(new Lane(1, 3, 7, "killed", 5, 4, RecordCodec.FORMAT, List.of(), List.of(), 0, ""));
        direct.put(1, 5, new JournalRecord(direct.now().millis(), List.of(addition(OTHER, "minute", 1))));

        // When
        JournalWriter writer = direct.start(UsualSettings.of("writer"));
        direct.receive(message(addition(MINUTE, "minute", 1)));
        direct.run(1_200_000);

        // Then
        assertThat(direct.requests(Request.ReportUnreadable.class))
                .containsExactly(new Request.ReportUnreadable(0, 0, "expected an epoch above 0, found 0"));
        assertThat(direct.requests(Request.AcquireLane.class)).extracting(Request.AcquireLane::lane).doesNotContain(0);
        assertThat(direct.requests(Request.ReportLane.class))
                .contains(new Request.ReportLane(1, Request.ReportLane.Event.RECOVERING));
        assertThat(direct.lane(0)).isEqualTo(damaged);
        assertThat(writer.status().abandoned()).isEqualTo(1);
        assertThat(writer.status().lane()).isEqualTo(2);
        assertThat(direct.sum(MINUTE, "events")).isEqualByComparingTo("1");
        assertThat(direct.sum(OTHER, "events")).isEqualByComparingTo("1");
        assertThat(direct.lane(1).hasWork()).isFalse();

        // When
        direct.put(new Lane(0, 3, 7, "killed", 5, 4, RecordCodec.FORMAT, List.of(), List.of(), 0, ""));
        direct.put(0, 5, new JournalRecord(direct.now().millis(), List.of(addition(MINUTE, "minute", 1))));
        direct.run(60_000);

        // Then
        assertThat(direct.sum(MINUTE, "events")).isEqualByComparingTo("2");
        assertThat(direct.lane(0).hasWork()).isFalse();
    }

    @Test
    void aHolderWhoseLaneCannotBeReadAnyMoreTakesAnother() {
        // Given
        JournalWriter writer = direct.start(UsualSettings.of("writer"));
        direct.receive(message(addition(MINUTE, "minute", 1)));
        direct.run(5_000);
        assertThat(writer.status().lane()).isZero();

        // When
        direct.put(Lane.unreadable(0, "expected an epoch above 0, found 0"));
        direct.receive(message(addition(MINUTE, "minute", 1)));
        direct.run(60_000);

        // Then
        assertThat(writer.status().lane()).isEqualTo(1);
        assertThat(direct.sum(MINUTE, "events")).isEqualByComparingTo("2");
        assertThat(direct.requests(Request.DeleteMessage.class)).hasSize(2);
        assertThat(direct.requests(Request.ReportUnreadable.class)).hasSize(1);
    }

    @Test
    void whatCannotEvenBeMarkedIsSentWithoutBeingListed() {
        // Given more such items than letters can be in flight, and one that takes everything
        List<BucketItem> items = IntStream.range(0, 500).mapToObj(i -> new BucketItem("label-" + i, "minute#1", null)).toList();
        items.forEach(item -> direct.breakItem(item, true));
        direct.start(settings("writer", 4_000, 1_000));

        // When
        direct.receive(message(items.stream().map(item -> addition(item, "minute", 1)).toArray(Addition[]::new)));
        direct.receive(message(addition(MINUTE, "minute", 1)));
        direct.run(60_000);

        // Then
        assertThat(direct.requests(Request.SendParked.class).stream().map(Request.SendParked::id).distinct()).hasSize(500);
        assertThat(direct.sum(MINUTE, "events")).isEqualByComparingTo("1");
        assertThat(direct.lane(0).parkings()).isEmpty();
        assertThat(direct.lane(0).hasWork()).isFalse();
    }

    @Test
    void whatCannotEvenBeMarkedIsInALetterAtLeastOnce() {
        // Given
        direct.breakItem(MINUTE, true);
        direct.leaveLettersUnanswered();
        direct.start(settings("killed", 4_000, 1_000));
        direct.receive(message(addition(MINUTE, "minute", 1)));
        direct.run(5_000);
        assertThat(direct.requests(Request.SendParked.class)).hasSize(1);

        // When another writer recovers the lane
        direct.start(settings("next", 4_000, 1_000));
        direct.run(60_000);

        // Then
        assertThat(direct.requests(Request.SendParked.class)).hasSize(2).extracting(Request.SendParked::id)
                .containsOnly(direct.requests(Request.SendParked.class).get(0).id());
    }

    @Test
    void aListOfAnEarlierVersionIsReadAndKeptUntilNoRecoveryCanFindIt() {
        // Given a lane that lists unmarked parkings, of which one is sent and one is not
        direct.put(0, 1,
                new JournalRecord(direct.now().millis(), List.of(addition(MINUTE, "minute", 1), addition(OTHER, "minute", 2))));
        direct.put(0, 2,
                new JournalRecord(direct.now().millis(), List.of(addition(MINUTE, "minute", 4), addition(OTHER, "minute", 8))));
        long cell = new CellKey(MINUTE, null).hash();
        direct.put(new Lane(0, 3, 7, "killed", 2, 0, RecordCodec.FORMAT, List.of(),
                List.of(new Parking(cell, cell, 1, 1, false, true), new Parking(cell, cell, 2, 2, false, false)), 0, ""));

        // When
        direct.start(settings("next", 4_000, 1_000));
        direct.run(60_000);

        // Then neither is applied, and only the unsent one is sent
        assertThat(direct.sum(MINUTE, "events")).isZero();
        assertThat(direct.sum(OTHER, "events")).isEqualByComparingTo("10");
        assertThat(direct.requests(Request.SendParked.class)).singleElement().satisfies(letter -> {
            assertThat(letter.first()).isEqualTo(2);
            assertThat(letter.changes().get(0).value().value()).isEqualByComparingTo("4");
        });
        assertThat(direct.lane(0).parkings()).isEmpty();
        assertThat(direct.lane(0).hasWork()).isFalse();
    }

    @Test
    void lettersOfExtremesAreSentSomeAtATime() {
        // Given many items that refuse their extremes
        List<BucketItem> items = IntStream.range(0, 500).mapToObj(i -> new BucketItem("label-" + i, "minute#1", null)).toList();
        items.forEach(item -> direct.breakItem(item, false));
        direct.leaveLettersUnanswered();
        direct.start(settings("writer", 4_000, 1_000));

        // When
        direct.receive(message(items.stream().map(item -> new Addition(item, "minute", List.of(
                new Change("largest", MeasureKind.MAX, MeasureValue.of(BigDecimal.ONE))))).toArray(Addition[]::new)));
        direct.run(10_000);

        // Then
        assertThat(direct.requests(Request.ApplyExtreme.class)).hasSizeGreaterThan(64);
        assertThat(direct.requests(Request.SendParked.class)).hasSize(64);
    }

    @Test
    void aRecoveryReadsNoFurtherAheadThanItHasRoomFor() {
        // Given large records that are applied except for one bucket, which is written rarely
        direct.start(settings("killed", 100_000, 1_000));
        for (int record = 0; record < 40; record++) {
            List<Addition> additions = new ArrayList<>(List.of(addition(DAY, "day", 1)));
            for (int label = 0; label < 500; label++) {
                additions.add(addition(new BucketItem("label-" + record + "-" + label, "minute#1", null), "minute", 1));
            }
            direct.receive(message(additions.toArray(Addition[]::new)));
            direct.run(1_500);
        }
        assertThat(direct.lane(0).position() - direct.lane(0).applied()).isGreaterThan(35);
        int before = direct.requests().size();

        // When a writer with little memory takes over
        direct.start(settings("next", 1_000, 1_000));
        direct.run(120_000);

        // Then
        List<Request> requests = direct.requests().subList(before, direct.requests().size());
        assertThat(requests.stream().takeWhile(request -> !(request instanceof Request.ApplySums))
                .filter(Request.ReadRecord.class::isInstance).count()).isBetween(1L, 2L);
        assertThat(direct.lane(0).hasWork()).isFalse();
        direct.checkBuckets();
    }

    @Test
    void aLaneIsReleasedHoweverLongItsWritesTake() {
        // Given writes that take longer than the time between renewals
        JournalSettings usual = settings("writer", 1_000, 1_000);
        JournalWriter writer = direct.start(new JournalSettings("writer", usual.flushEvery(), Duration.ofSeconds(1),
                usual.retention(), usual.deleteAfter(), usual.concurrentUpdates(), usual.maxCells(), usual.maxRecords(),
                usual.claimLimits(), usual.deniedFor(), usual.writeEvery(), usual.backlogDelay(), usual.deferAfter()));
        direct.run(2_000);
        direct.setLaneWriteMillis(300);
        direct.run(2_000);

        // When
        writer.drain();
        direct.run(5_000);

        // Then
        assertThat(direct.requests(Request.RenewLane.class)).anyMatch(Request.RenewLane::releases);
        assertThat(writer.isDrained()).isTrue();
    }

    @Test
    void whatAFullClaimLeavesIsClaimedWithWhatCameMeanwhile() {
        // Given
        direct.start(UsualSettings.of("writer"));
        direct.setLaneWriteMillis(600);
        direct.run(2_100);

        // When
        for (int tick = 0; tick < 50; tick++) {
            for (int i = 0; i < 2_000; i++) {
                direct.receive(message(direct.now().millis() + i / 40, addition(MINUTE, "minute", 1)));
            }
            direct.run(50);
        }
        direct.run(2_000);

        // Then
        List<Integer> slots = direct.requests(Request.ClaimMessages.class).stream().map(claim -> claim.slots().size()).toList();
        assertThat(direct.sum(MINUTE, "events")).isEqualByComparingTo("100000");
        assertThat(slots).as("slots of each claim").allMatch(number -> number > 20);
    }

    @Test
    void sumsThatTogetherHaveNo38DigitsAreClaimedApart() {
        BigDecimal large = new BigDecimal("9".repeat(38));
        direct.start(UsualSettings.of("writer"));
        direct.run(500);
        direct.receive(message(sum(MINUTE, large)));
        direct.receive(message(sum(MINUTE, new BigDecimal("0.1"))));
        direct.receive(message(sum(MINUTE, large.negate())));
        direct.run(10_000);

        // Only additions that the item cannot take are parked.
        assertThat(direct.requests(Request.ClaimMessages.class)).hasSizeGreaterThan(1);
        assertThat(direct.requests(Request.DeleteMessage.class)).hasSize(3);
        assertThat(direct.lane(0).hasWork()).isFalse();
    }

    @Test
    void whoSleptBeyondTheLeaseUpdatesNothingBeforeTheLaneIsKnownToBeIts() {
        direct.start(UsualSettings.of("writer"));
        direct.receive(message(addition(DAY, "day", 1)));
        direct.run(2_000);
        int before = direct.requests().size();
        direct.sleep(600_000);
        direct.run(1_000);

        List<Request> after = direct.requests().subList(before, direct.requests().size());
        assertThat(after).hasAtLeastOneElementOfType(Request.ApplySums.class);
        assertThat(after.stream().filter(request -> !(request instanceof Request.ReadLanes)).findFirst()).get()
                .isInstanceOf(Request.RenewLane.class);
    }

    @Test
    void theLowestFreeLaneIsTaken() {
        for (int number = 0; number < 12; number++) {
            boolean free = number == 9;
            direct.put(new Lane(number, 1, 1, free ? "" : "other", 3, 3, RecordCodec.FORMAT, List.of(), List.of(), 0, ""));
        }
        JournalWriter writer = direct.start(UsualSettings.of("writer"));
        direct.run(1_000);

        assertThat(writer.status().lane()).isEqualTo(9);
    }

    @Test
    void aLaneThatItsHolderLeftWithoutWorkIsReleasedForTheNextWriter() {
        // Given a writer that was killed while idle, and another one in its place, which cannot know that
        direct.start(UsualSettings.of("killed"));
        direct.run(1_000);
        JournalWriter writer = direct.start(UsualSettings.of("writer"));
        direct.run(15_000);
        Lane left = direct.lane(0);
        assertThat(writer.status().lane()).isEqualTo(1);
        assertThat(left.holder()).isEqualTo("killed");

        // When
        direct.run(15_000);
        JournalWriter next = direct.start(UsualSettings.of("next"));
        direct.receive(message(addition(MINUTE, "minute", 1)));
        direct.run(5_000);

        // Then
        assertThat(next.status().lane()).isZero();
        assertThat(direct.lane(0).position()).isGreaterThan(left.position());
        assertThat(direct.sum(MINUTE, "events")).isEqualByComparingTo("1");
    }

    @Test
    void aWriterThatCouldNotLookAtLanesLeavesThoseWithoutWorkAlone() {
        // Given
        JournalWriter writer = direct.start(UsualSettings.of("writer"));
        direct.put(new Lane(1, 1, 1, "other", 3, 3, RecordCodec.FORMAT, List.of(), List.of(), 0, ""));
        direct.run(5_000);

        // When nobody could read or write for a while
        direct.sleep(600_000);
        direct.run(15_000);
        assertThat(direct.lane(1).epoch()).isEqualTo(1);
        direct.put(new Lane(1, 1, 2, "other", 3, 3, RecordCodec.FORMAT, List.of(), List.of(), 0, ""));
        direct.run(15_000);

        // Then
        assertThat(writer.status().lane()).isZero();
        assertThat(direct.lane(1).holder()).isEqualTo("other");
    }

    @Test
    void withoutAFreeLaneAWriterWaitsForOne() {
        for (int number = 0; number < Lane.MAX_LANES; number++) {
            direct.put(new Lane(number, 1, 1, "other", 3, 3, RecordCodec.FORMAT, List.of(), List.of(), 0, ""));
        }
        JournalWriter writer = direct.start(UsualSettings.of("writer"));
        direct.receive(message(addition(MINUTE, "minute", 1)));
        direct.run(15_000);
        assertThat(writer.status().lane()).isEqualTo(-1);
        assertThat(writer.status().taken()).isEqualTo(Lane.MAX_LANES);
        assertThat(direct.requests(Request.ReportLane.class))
                .containsExactly(new Request.ReportLane(-1, Request.ReportLane.Event.NONE_FREE));

        // Nobody writes any of them for a lease.
        direct.run(15_000);
        assertThat(writer.status().lane()).isZero();
        assertThat(direct.sum(MINUTE, "events")).isEqualByComparingTo("1");
        assertThat(direct.requests(Request.ReportLane.class))
                .endsWith(new Request.ReportLane(0, Request.ReportLane.Event.HELD)).hasSize(2);
    }

    /** @param epochs epoch difference of an item that another writer made anew, in the same second or later; 0 for none */
    @ParameterizedTest
    @ValueSource(longs = { 0, 1, 2L << 24 })
    void aWriterWhoseLaneIsGoneStopsAlsoWhereAnotherOneMadeItAnew(long epochs) {
        direct.start(UsualSettings.of("writer"));
        direct.receive(message(addition(MINUTE, "minute", 1)));
        direct.run(5_000);
        Lane held = direct.lane(0);
        int deleted = direct.requests(Request.DeleteMessage.class).size();

        direct.removeLane(0);
        if (epochs > 0) {
            // The same beat as that of the writer's next write.
            direct.put(new Lane(0, held.epoch() + epochs - 1, held.beat() + 1, "another", held.position() + 60_000,
                    held.position() + 60_000, 1, List.of(), List.of(), 0, ""));
        }
        direct.receive(message(addition(MINUTE, "minute", 1)));

        assertThatThrownBy(() -> direct.run(10_000)).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("the item of lane 0 was deleted");
        assertThat(direct.requests(Request.DeleteMessage.class)).hasSize(deleted);
    }

    @Test
    void aPositionThatTheLaneNeverGaveStopsItsWriterBeforeAnythingIsDeleted() {
        direct.start(UsualSettings.of("writer"));
        direct.receive(message(addition(DAY, "day", 1)));
        direct.run(1_000);
        direct.put(MINUTE, "events", BigDecimal.TEN, 0, direct.lane(0).position() + 1_000_000);
        direct.receive(message(addition(MINUTE, "minute", 1)));
        int deleted = direct.requests(Request.DeleteMessage.class).size();

        assertThatThrownBy(() -> direct.run(60_000)).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("has records of lane 0 up to");
        assertThat(direct.requests(Request.DeleteMessage.class)).hasSize(deleted);
        assertThat(direct.sum(MINUTE, "events")).isEqualByComparingTo("10");
    }

    @Test
    void aWriterThatFindsASuccessorsPositionDropsItsLane() {
        JournalWriter writer = direct.start(UsualSettings.of("writer"));
        direct.receive(message(addition(DAY, "day", 1)));
        direct.run(1_000);
        direct.receive(message(addition(MINUTE, "minute", 1)));
        direct.run(900);
        Lane ours = direct.lane(0);
        direct.put(MINUTE, "events", BigDecimal.TEN, 0, ours.position() + 1_000_000);
        direct.put(new Lane(0, ours.epoch() + 1, ours.beat() + 1, "successor", ours.position() + 1_000_000,
                ours.position() + 1_000_000, 1, List.of(), List.of(), 0, ""));

        direct.run(10_000);

        assertThat(writer.status().lane()).isEqualTo(1);
        assertThat(direct.requests(Request.ReportLane.class)).containsExactly(
                new Request.ReportLane(0, Request.ReportLane.Event.HELD),
                new Request.ReportLane(0, Request.ReportLane.Event.LOST),
                new Request.ReportLane(1, Request.ReportLane.Event.HELD));
    }

    @Test
    void aNewLaneBeginsWhereNoLostOneCanHaveBeen() {
        direct.start(UsualSettings.of("writer"));
        direct.run(1_000);

        assertThat(direct.lane(0).position()).isGreaterThanOrEqualTo(1_790_000_000_000L);
    }

    @Test
    void writersOfDifferentLanesClaimAtDifferentTimes() {
        List<Long> offsets = new ArrayList<>();
        for (int lane = 0; lane < 8; lane++) {
            FlushTimes flushes = new FlushTimes(1_000);
            flushes.start(lane);
            flushes.hasCome(10_000_000);
            long come = 10_000_001;
            while (!flushes.hasCome(come)) {
                come++;
            }
            offsets.add(come % 1_000);
        }

        assertThat(offsets).containsExactly(0L, 500L, 250L, 750L, 125L, 625L, 375L, 875L);
    }

    @Test
    void flushesOfLessThanAMillisecondComeWithEach() {
        FlushTimes flushes = new FlushTimes(0);
        flushes.start(1);

        assertThat(flushes.hasCome(10_000_000)).isTrue();
        assertThat(flushes.hasCome(10_000_000)).isFalse();
        assertThat(flushes.hasCome(10_000_001)).isTrue();
    }

    private long updatesOf(BucketItem item) {
        return direct.requests(Request.ApplySums.class).stream().filter(update -> update.item().equals(item)).count();
    }

    private JournalMessage message(Addition... additions) {
        return message(direct.now().millis(), additions);
    }

    private JournalMessage message(long sentMillis, Addition... additions) {
        hash++;
        ClaimUnit unit = new ClaimUnit(new ClaimId(ClaimId.Kind.MESSAGE, sentMillis, hash * 0x9E3779B97F4A7C15L),
                List.of(additions));
        return new TestMessage(List.of(unit));
    }

    private static Addition addition(BucketItem item, String granularity, int events) {
        return new Addition(item, granularity,
                List.of(new Change("events", MeasureKind.COUNT, MeasureValue.of(BigDecimal.valueOf(events)))));
    }

    private static Addition sum(BucketItem item, BigDecimal bytes) {
        return new Addition(item, "minute", List.of(new Change("bytes", MeasureKind.SUM, MeasureValue.of(bytes))));
    }

    private static JournalSettings settings(String holder, int maxCells, int maxRecords) {
        return new JournalSettings(holder, Duration.ofSeconds(1), Duration.ofSeconds(20), Duration.ofDays(15),
                Duration.ofSeconds(15), 16, maxCells, maxRecords, ClaimLimits.DEFAULTS,
                Duration.ofMinutes(1), new WriteEvery(Map.<Granularity, Duration> of()), Duration.ofSeconds(4),
                JournalSettings.DEFER_AFTER);
    }
}
