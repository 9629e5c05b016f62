package dev.windrow.writer.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.List;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.windrow.dataset.MeasureKind;
import dev.windrow.dataset.MeasureValue;
import dev.windrow.table.Freshness;
import dev.windrow.writer.journal.simulation.Direct;
import dev.windrow.writer.record.Addition;
import dev.windrow.writer.record.BucketItem;
import dev.windrow.writer.record.Change;
import dev.windrow.writer.record.ClaimId;
import dev.windrow.writer.record.ClaimUnit;
import dev.windrow.writer.testing.TestMessage;
import dev.windrow.writer.testing.UsualSettings;

/** An item that takes no update for a long time holds up neither other items nor claims. */
class DeferralTest {

    private static final BucketItem HOT = new BucketItem("hot", "minute#1970-01-01T00:00:00Z", null);
    private static final int MAX_RECORDS = 1_000;
    private static final int FEW_RECORDS = 60;

    private final Direct direct = new Direct();
    private long hash;

    @Tag("slow")
    @Test
    void claimsAndOtherBucketsGoOnForHours() {
        // Given
        JournalWriter writer = direct.start(UsualSettings.of("writer"));
        direct.stop(HOT::equals);

        // When
        int seconds = 3 * MAX_RECORDS;
        for (int second = 0; second < seconds; second++) {
            receive(HOT, bucket(second % 10));
            direct.run(1_000);
        }

        // Then
        direct.run(5_000);
        assertThat(direct.sum(bucket(3), "events")).isEqualByComparingTo(BigDecimal.valueOf(seconds / 10));
        assertThat(direct.sum(HOT, "events")).isZero();
        assertThat(writer.status().records()).isLessThan(150);
        assertThat(writer.status().deferred()).isEqualTo(2);
        assertThat(direct.requests(Request.ReportDeferred.class)).hasSizeBetween(40, 60)
                .allSatisfy(report -> assertThat(report.item()).isEqualTo(HOT));
        Freshness freshness = new Freshness(direct.now().millis(), direct.lane(0).watermarks());
        assertThat(freshness.asOf("minute", Long.MAX_VALUE)).isLessThan(direct.now().millis() - seconds * 1_000L);

        // And when the item takes updates again
        direct.stop(item -> false);
        direct.run(30_000);

        // Then
        assertThat(writer.status().deferred()).isZero();
        assertThat(direct.lane(0).applied()).isEqualTo(direct.lane(0).position());
        direct.checkBuckets();
    }

    @Test
    void itsAdditionsArePutAsideBeforeManyClaimsReachTheLimitOfRecords() {
        // Given a limit that a claim a second reaches within the minute after which additions are put aside
        JournalSettings usual = UsualSettings.of("writer");
        JournalWriter writer = direct.start(new JournalSettings("writer", usual.flushEvery(), usual.lease(), usual.retention(),
                usual.deleteAfter(), usual.concurrentUpdates(), usual.maxCells(), FEW_RECORDS, usual.claimLimits(),
                usual.deniedFor(), usual.writeEvery(), usual.backlogDelay(), usual.deferAfter()));
        direct.stop(HOT::equals);

        // When
        int most = 0;
        for (int second = 0; second < 5 * FEW_RECORDS; second++) {
            receive(HOT, bucket(second % 10));
            direct.run(1_000);
            most = Math.max(most, writer.status().records());
        }

        // Then
        assertThat(most).isBetween(FEW_RECORDS / 2, FEW_RECORDS - 1);
        direct.stop(item -> false);
        direct.run(30_000);
        direct.checkBuckets();
    }

    /** A single writer must recover all lanes, however long items of some lanes take no update. */
    @Test
    void aRecoveryThatWaitsForAnItemHoldsUpNoOtherRecovery() {
        // Given two lanes that were left behind, the first with additions that an item does not take
        direct.start(UsualSettings.of("first"));
        direct.stop(item -> true);
        receive(HOT, bucket(1));
        direct.run(2_000);
        direct.start(UsualSettings.of("second"));
        receive(bucket(2));
        direct.run(2_000);

        // When
        JournalWriter writer = direct.start(UsualSettings.of("third"));
        direct.stop(HOT::equals);
        direct.run(180_000);

        // Then
        assertThat(direct.sum(bucket(1), "events")).isEqualByComparingTo("1");
        assertThat(direct.sum(bucket(2), "events")).isEqualByComparingTo("1");
        assertThat(direct.lane(1).hasWork()).isFalse();
        assertThat(direct.lane(0).holder()).isEqualTo("third");
        assertThat(writer.status().recovering()).isTrue();

        // And when the item takes updates again
        direct.stop(item -> false);
        direct.run(30_000);
        assertThat(direct.lane(0).hasWork()).isFalse();
        assertThat(direct.lane(0).isHeld()).isFalse();
        assertThat(writer.status().recovering()).isFalse();
        direct.checkBuckets();
    }

    @Test
    void whatIsDeferredStaysSoIfTheNextDeferralIsRefused() {
        JournalWriter writer = direct.start(UsualSettings.of("writer"));
        direct.stop(HOT::equals);
        for (int second = 0; second < 150; second++) {
            receive(HOT, bucket(1));
            direct.run(1_000);
        }
        long deferred = direct.lane(0).deferred();
        direct.refuseDeferrals();

        for (int second = 0; second < 150; second++) {
            receive(HOT, bucket(1));
            direct.run(1_000);
        }
        direct.start(UsualSettings.of("recovering"));
        direct.stop(item -> false);
        direct.run(60_000);

        assertThat(writer.status().deferred()).isPositive();
        assertThat(direct.lane(0).deferred()).isEqualTo(deferred);
        direct.checkBuckets();
    }

    @Tag("slow")
    @Test
    void noMoreThanAThousandItemsAreDeferredAndTheOthersHoldUpWhatIsApplied() {
        JournalWriter writer = direct.start(UsualSettings.of("writer"));
        direct.stop(item -> !item.equals(bucket(0)));
        for (int item = 1; item <= 1_500; item++) {
            receive(bucket(item));
        }
        for (int second = 0; second < 2 * MAX_RECORDS; second++) {
            receive(bucket(0));
            direct.run(1_000);
        }

        assertThat(writer.status().deferred()).isEqualTo(1_000);
        assertThat(writer.status().records()).isBetween(MAX_RECORDS, MAX_RECORDS + 20);

        direct.stop(item -> false);
        direct.run(60_000);
        direct.checkBuckets();
        assertThat(writer.status().cells()).isZero();
    }

    private void receive(BucketItem... items) {
        hash++;
        List<Addition> additions = List.of(items).stream().map(item -> new Addition(item, "minute",
                List.of(new Change("events", MeasureKind.COUNT, MeasureValue.of(BigDecimal.ONE)),
                        new Change("largest", MeasureKind.MAX, MeasureValue.of(BigDecimal.valueOf(hash))))))
                .toList();
        direct.receive(new TestMessage(List.of(new ClaimUnit(
                new ClaimId(ClaimId.Kind.MESSAGE, direct.now().millis(), hash * 0x9E3779B97F4A7C15L), additions))));
    }

    private static BucketItem bucket(int number) {
        return new BucketItem("bucket-" + number, "minute#1970-01-01T00:00:00Z", null);
    }
}
