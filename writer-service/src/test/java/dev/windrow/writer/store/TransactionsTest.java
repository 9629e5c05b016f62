package dev.windrow.writer.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.random.RandomGenerator;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import dev.windrow.writer.aggregate.Share;
import dev.windrow.writer.message.Message;
import dev.windrow.writer.testing.Shares;
import dev.windrow.writer.testing.TestSeeds;

class TransactionsTest {

    private static final Instant SENT = Instant.parse("2026-11-20T10:31:40Z");

    private final Shares shares = new Shares("""
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
    void aTransactionHoldsAsManyIdsAsOneConditionCanTell() {
        List<Share> all = sent(0, 230);
        assertThat(Transactions.split(all)).extracting(List::size).containsExactly(100, 100, 30);
    }

    @Test
    void aSlotThatWouldBeFewAtTheEndIsLeftToTheNextTransaction() {
        // Given
        List<Share> all = new ArrayList<>(sent(0, 80));
        all.addAll(sent(1, 90));

        // Then
        assertThat(Transactions.split(all)).containsExactly(all.subList(0, 80), all.subList(80, 170));
    }

    @Test
    void aSlotThatIsMostOfATransactionStays() {
        List<Share> all = new ArrayList<>(sent(0, 30));
        all.addAll(sent(1, 90));
        assertThat(Transactions.split(all)).extracting(List::size).containsExactly(100, 20);
    }

    @Test
    void sharesAreGatheredBySlotUnlessTheirOrderCounts() {
        // Given
        List<Share> all = new ArrayList<>();
        List<Share> ordered = new ArrayList<>();
        for (int i = 0; i < 120; i++) {
            all.addAll(sent(i % 2, 1));
            ordered.addAll(shares.of(message(i % 2, "group")));
        }

        // Then
        assertThat(Transactions.split(all)).extracting(List::size).containsExactly(60, 60);
        assertThat(Transactions.split(ordered)).containsExactly(ordered.subList(0, 100), ordered.subList(100, 120));
    }

    @Test
    void eachShareIsInExactlyOneTransaction() {
        RandomGenerator random = TestSeeds.random("transactions");
        for (int round = 0; round < 200; round++) {
            // Given
            List<Share> all = new ArrayList<>();
            int slots = random.nextInt(1, 200);
            for (int i = random.nextInt(1, 400); i > 0; i--) {
                all.addAll(sent(random.nextInt(slots), 1));
            }

            // When
            List<List<Share>> transactions = Transactions.split(all);

            // Then
            List<Share> together = transactions.stream().flatMap(List::stream).toList();
            assertThat(new HashSet<>(together)).isEqualTo(new HashSet<>(all));
            assertThat(together).hasSameSizeAs(all);
            assertThat(transactions).allSatisfy(transaction -> {
                assertThat(transaction).isNotEmpty().hasSizeLessThanOrEqualTo(100);
                assertThat(Ledger.slots(transaction).size() + 1).isLessThanOrEqualTo(100);
            });
        }
    }

    private List<Share> sent(int second, int count) {
        List<Share> some = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            some.addAll(shares.of(message(second, null)));
        }
        return some;
    }

    private Message message(int second, @Nullable String group) {
        Instant sent = SENT.plusSeconds(second);
        Message message = Shares.message("m" + messages++, sent,
                "{\"type\":\"hit\",\"time\":\"2026-11-20T10:00:00Z\",\"attributes\":{\"page\":\"a\"}}");
        return new Message(message.queue(), message.id(), message.receipt(), message.body(), message.attributes(), sent,
                sent, 1, group);
    }
}
