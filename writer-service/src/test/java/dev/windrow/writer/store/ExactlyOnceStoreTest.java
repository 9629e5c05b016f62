package dev.windrow.writer.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.random.RandomGenerator;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.windrow.reason.Reason;
import dev.windrow.table.AwsLimits;
import dev.windrow.table.TableSchema;
import dev.windrow.testing.Seeds;
import dev.windrow.writer.aggregate.SeriesBatch;
import dev.windrow.writer.inflight.pending.ContributionOutcome;
import dev.windrow.writer.message.Message;
import dev.windrow.writer.testing.TestContributions;
import io.smallrye.mutiny.Uni;

class ExactlyOnceStoreTest extends BucketStoreContract {

    private static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");

    @Override
    BucketStore store(TableWrites tableWrites, BucketUpdates updates) {
        return new ExactlyOnceStore(tableWrites, updates,
                new Ledger(Duration.ofDays(15), Clock.fixed(NOW, ZoneOffset.UTC)), new ExtremesCache(1_000));
    }

    @Test
    void dropsExactlyTheMessagesThatTheLedgerKnows() {
        // Given
        apply(message("a", hit("p", "2026-11-20T10:00:00Z", "1")), message("b", hit("p", "2026-11-20T10:00:00Z", "10")));

        // When
        List<ContributionOutcome> outcomes = apply(message("b", hit("p", "2026-11-20T10:00:00Z", "10")),
                message("c", hit("p", "2026-11-20T10:00:00Z", "100")),
                message("a", hit("p", "2026-11-20T10:00:00Z", "1")));

        // Then
        assertThat(outcomes).containsExactly(ContributionOutcome.DUPLICATE, ContributionOutcome.APPLIED,
                ContributionOutcome.DUPLICATE);
        assertThat(day("hits")).isEqualByComparingTo("3");
        assertThat(day("ms")).isEqualByComparingTo("111");
    }

    @Test
    void countsAMessageOnceThatIsTwiceInOneBatch() {
        // When
        List<ContributionOutcome> outcomes = apply(message("a", hit("p", "2026-11-20T10:00:00Z", "1")),
                message("a", hit("p", "2026-11-20T10:00:00Z", "1")));

        // Then
        assertThat(outcomes).containsExactly(ContributionOutcome.APPLIED, ContributionOutcome.DUPLICATE);
        assertThat(day("hits")).isEqualByComparingTo("1");
    }

    @Test
    void tellsApartManyMessagesThatAreTwiceInOneBatch() {
        // Given
        List<Message> messages = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            messages.add(message("m" + i % 250, hit("p", "2026-11-20T10:00:00Z", "1")));
        }

        // When
        List<ContributionOutcome> outcomes = apply(messages.toArray(Message[]::new));

        // Then
        assertThat(outcomes.subList(0, 250)).containsOnly(ContributionOutcome.APPLIED);
        assertThat(outcomes.subList(250, 300)).containsOnly(ContributionOutcome.DUPLICATE);
        assertThat(day("hits")).isEqualByComparingTo("250");
    }

    @Test
    void aSlotThatRefusesIdsItDoesNotHoldIsAFailureOfTheTable() {
        // Given
        TableWrites refusing = write -> write.transactional()
                ? Uni.createFrom().failure(new ConditionFailedException(Map.of(3, Map.of())))
                : Uni.createFrom().item(new WriteResult(1));
        BucketStore mistaken = store(refusing, new BucketUpdates(new Random(1)));

        // When
        List<ContributionOutcome> outcomes = mistaken.apply(new SeriesBatch(
                shares.of(message("a", hit("p", "2026-11-20T10:00:00Z", "1"))))).await().indefinitely();

        // Then
        assertThat(outcomes).singleElement().isInstanceOfSatisfying(ContributionOutcome.Failed.class,
                failed -> assertThat(failed.reason()).isEqualTo(Reason.UNAVAILABLE));
    }

    @Test
    void notesTheMessagesOfASecondInOneSlotThatExpires() {
        // When
        apply(message("a", hit("p", "2026-11-20T10:00:00Z", "1")), message("b", hit("p", "2026-11-20T10:00:00Z", "1")));

        // Then
        assertThat(buckets.slots()).singleElement().satisfies(slot -> {
            assertThat(slot.get(TableSchema.SK).s()).isEqualTo("~#2026-11-20T10:31:40Z#0");
            assertThat(slot.get(TableSchema.LEDGER_IDS).bs()).hasSize(2);
            assertThat(slot.get(TableSchema.TTL).n())
                    .isEqualTo(Long.toString(NOW.plus(Duration.ofDays(15)).getEpochSecond()));
            assertThat(slot).doesNotContainKeys(TableSchema.INDEX_PK, TableSchema.INDEX_SK);
        });
    }

    @Test
    void countsOnceWhenAnAnswerIsLostAndTheMessageIsAppliedAgain() {
        // Given
        writes.loseAnswers(1);
        List<ContributionOutcome> lost = apply(message("a", hit("p", "2026-11-20T10:00:00Z", "1")));

        // When
        List<ContributionOutcome> again = apply(message("a", hit("p", "2026-11-20T10:00:00Z", "1")));

        // Then
        assertThat(lost.get(0)).isInstanceOf(ContributionOutcome.Failed.class);
        assertThat(again).containsExactly(ContributionOutcome.DUPLICATE);
        assertThat(day("hits")).isEqualByComparingTo("1");
    }

    @Tag("slow")
    @Test
    void cutsAMessageWithMoreBucketsThanATransactionHoldsAndKnowsItsPartsAgain() {
        // Given
        List<String> hits = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            hits.add(hit("p", Instant.parse("2026-11-20T10:00:00Z").plusSeconds(i).toString(), "1"));
        }
        Message large = TestContributions.message("large", SENT, String.join("\n", hits));
        int parts = shares.of(large).size();
        // The answer of the second transaction is lost, so the first delivery ends half applied.
        store.apply(new SeriesBatch(shares.of(large).subList(0, 1))).await().indefinitely();
        writes.loseAnswers(1);
        store.apply(new SeriesBatch(shares.of(large).subList(1, 2))).await().indefinitely();

        // When
        List<ContributionOutcome> outcomes = apply(large);

        // Then
        assertThat(outcomes).hasSize(parts).startsWith(ContributionOutcome.DUPLICATE, ContributionOutcome.DUPLICATE,
                ContributionOutcome.APPLIED);
        assertThat(day("hits")).isEqualByComparingTo("500");
        assertThat(buckets.measure("hits", "hits")).hasSize(500 + 9 + 1);
        assertThat(writes.transactions())
                .allSatisfy(write -> assertThat(write.updates()).hasSizeLessThanOrEqualTo(AwsLimits.TRANSACTION_ITEMS));
    }

    @Test
    void notesTheMessagesOfManySlotsInOneTransactionAndKnowsThemAgain() {
        // Given: a hundred messages in each of ten slots, and as many new ones
        List<Message> first = new ArrayList<>();
        List<Message> mixed = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            Instant sent = SENT.plusSeconds(i / 100);
            first.add(TestContributions.message("m" + i, sent, hit("p", "2026-11-20T10:00:00Z", "1")));
            mixed.add(TestContributions.message(i % 2 == 0 ? "m" + i : "n" + i, sent, hit("p", "2026-11-20T10:00:00Z", "1")));
        }

        // When
        apply(first.toArray(Message[]::new));
        int transactions = writes.transactions().size();
        List<ContributionOutcome> outcomes = apply(mixed.toArray(Message[]::new));

        // Then
        assertThat(transactions).isOne();
        for (int i = 0; i < 1_000; i++) {
            assertThat(outcomes.get(i)).isEqualTo(i % 2 == 0 ? ContributionOutcome.DUPLICATE : ContributionOutcome.APPLIED);
        }
        assertThat(day("hits")).isEqualByComparingTo("1500");
    }

    @Test
    void countsEveryMessageOnceWhateverIsRedeliveredInWhateverBatches() {
        // Given
        RandomGenerator random = Seeds.random("countsEveryMessageOnce");
        List<Message> messages = new ArrayList<>();
        BigDecimal expected = BigDecimal.ZERO;
        for (int i = 0; i < 60; i++) {
            Instant sent = SENT.plusSeconds(random.nextInt(4));
            messages.add(TestContributions.message("m" + i, sent,
                    hit("p", "2026-11-20T10:00:0" + random.nextInt(10) + "Z", "" + i)));
            expected = expected.add(BigDecimal.valueOf(i));
        }

        // When
        List<Message> open = new ArrayList<>(messages);
        for (int round = 0; round < 40 || !open.isEmpty(); round++) {
            List<Message> some = new ArrayList<>();
            for (int i = 0; i < 1 + random.nextInt(12); i++) {
                List<Message> from = open.isEmpty() || random.nextInt(3) == 0 ? messages : open;
                some.add(from.get(random.nextInt(from.size())));
            }
            writes.loseAnswers(random.nextInt(4) == 0 ? 1 : 0);
            List<ContributionOutcome> outcomes = apply(some.toArray(Message[]::new));
            for (int i = 0; i < some.size(); i++) {
                if (!(outcomes.get(i) instanceof ContributionOutcome.Failed)) {
                    open.remove(some.get(i));
                }
            }
        }

        // Then
        assertThat(day("hits")).isEqualByComparingTo("60");
        assertThat(day("ms")).isEqualByComparingTo(expected);
        assertThat(day("last")).isNotNull();
    }
}
