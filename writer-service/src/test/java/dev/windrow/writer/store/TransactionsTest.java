package dev.windrow.writer.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

import org.junit.jupiter.api.Test;

import dev.windrow.testing.Seeds;
import dev.windrow.writer.aggregate.Contribution;
import dev.windrow.writer.aggregate.SeriesBatch;
import dev.windrow.writer.message.Message;
import dev.windrow.writer.testing.TestContributions;

class TransactionsTest {

    private static final Instant SENT = Instant.parse("2026-11-20T10:31:40Z");

    private final TestContributions shares = new TestContributions("""
            windrow:
              datasets:
                hits:
                  event-type: hit
                  label: [page]
                  granularities: [day]
                  measures: {hits: {type: count}}
            """);
    private int messages;

    @Test
    void aTransactionHoldsAsManyIdsOfASlotAsOneConditionCanTell() {
        List<Contribution> all = sent(0, 230);
        assertThat(Transactions.split(all)).containsExactly(all.subList(0, 100), all.subList(100, 200),
                all.subList(200, 230));
    }

    @Test
    void aTransactionHoldsManySlots() {
        // Given
        List<Contribution> all = new ArrayList<>();
        for (int second = 0; second < 120; second++) {
            all.addAll(sent(second, 3));
        }

        // Then: 99 slots and the bucket
        assertThat(Transactions.split(all)).containsExactly(all.subList(0, 3 * 99), all.subList(3 * 99, 360));
    }

    @Test
    void aTransactionHoldsNoMoreIdsThanMemoryIsGivenFor() {
        // Given
        List<Contribution> all = new ArrayList<>();
        for (int second = 0; second < 12; second++) {
            all.addAll(sent(second, 90));
        }

        // Then
        assertThat(Transactions.split(all)).containsExactly(all.subList(0, 1_000), all.subList(1_000, 1_080));
    }

    @Test
    void eachShareIsInExactlyOneTransactionInOrder() {
        RandomGenerator random = Seeds.random("transactions");
        for (int round = 0; round < 200; round++) {
            // Given
            List<Contribution> all = new ArrayList<>();
            int slots = random.nextInt(1, 200);
            int days = random.nextInt(1, 100);
            for (int i = random.nextInt(1, 1_000); i > 0; i--) {
                all.addAll(shares.of(message(random.nextInt(slots), random.nextInt(days))));
            }

            // When
            List<List<Contribution>> transactions = Transactions.split(all);

            // Then
            assertThat(transactions.stream().flatMap(List::stream)).containsExactlyElementsOf(all);
            assertThat(transactions).allSatisfy(transaction -> {
                assertThat(transaction).isNotEmpty();
                assertThat(Ledger.slots(transaction)).hasSizeLessThanOrEqualTo(99)
                        .allSatisfy(slot -> assertThat(slot.newIds()).hasSizeLessThanOrEqualTo(100));
                assertThat(Ledger.slots(transaction).size() + SeriesBatch.upserts(transaction).size())
                        .isLessThanOrEqualTo(100);
            });
        }
    }

    private List<Contribution> sent(int second, int count) {
        List<Contribution> some = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            some.addAll(shares.of(message(second, 0)));
        }
        return some;
    }

    private Message message(int second, int day) {
        Instant sent = SENT.plusSeconds(second);
        return TestContributions.message("m" + messages++, sent,
                "{\"type\":\"hit\",\"time\":\"" + SENT.plus(day, ChronoUnit.DAYS) + "\",\"attributes\":{\"page\":\"a\"}}");
    }
}
