package dev.windrow.writer.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.windrow.dataset.MeasureKind;
import dev.windrow.dataset.MeasureValue;
import dev.windrow.writer.journal.Claims.MessageState;
import dev.windrow.writer.journal.Request.Answer;
import dev.windrow.writer.record.Addition;
import dev.windrow.writer.record.BucketItem;
import dev.windrow.writer.record.Change;
import dev.windrow.writer.record.ClaimId;
import dev.windrow.writer.record.ClaimUnit;
import dev.windrow.writer.testing.TestMessage;

class ClaimsTest {

    private static final long RETENTION = 15 * 86_400;
    private static final long DAY_MILLIS = 86_400_000;
    private static final Now NOW = new Now(0, 1_790_000_000_000L);
    private static final long MINUTE = NOW.millis() / 60_000 * 60_000;

    private final Claims claims = new Claims(ClaimLimits.DEFAULTS, RETENTION);
    private final List<Request> requests = new ArrayList<>();
    private final List<MessageState> settled = new ArrayList<>();

    /** 120,000 ids a minute from each writer: 225 to a slot if it takes them all at once, else 100. */
    @ParameterizedTest
    @CsvSource({ "MESSAGE, 1, 533", "MESSAGE, 2, 2_400", "EVENT, 1, 1_200" })
    void aMinuteIsCutByTheRateOfItsIds(ClaimId.Kind kind, int writers, int slots) {
        for (int i = 0; i < 2_000; i++) {
            add(kind, NOW.millis() + i / 2, i * 0x9E3779B97F4A7C15L);
        }

        assertThat(prepare(writers)).isNull();

        assertCut(slots, slots + slots / 100);
    }

    /** At the start of a minute, a writer has seen only a part of it. */
    @Test
    void aMinuteIsCutByTheRateOfTheOneBefore() {
        addMany(ClaimId.Kind.MESSAGE, 0, 2_000, i -> MINUTE - 2_000 + i);
        cutInto(1_000);
        claimAll();
        add(ClaimId.Kind.MESSAGE, MINUTE, 2_000);

        prepare(NOW);

        assertCut(266, 269);
    }

    /** For example after a burst: its rate says nothing about what follows. */
    @Test
    void aMinuteWithManyKnownMessagesIsCutByTheirRateThoughTheOneBeforeHadMore() {
        // Given
        addMany(ClaimId.Kind.MESSAGE, 0, 2_000, i -> MINUTE - 200 + i / 10);
        cutInto(6_000);
        claimAll();
        addMany(ClaimId.Kind.MESSAGE, 2_000, 4_000, i -> MINUTE + i - 2_000);

        // When
        prepare(NOW);

        // Then
        assertCut(266, 269);
    }

    @Test
    void aBacklogOfAHundredThousandMessagesASecondFillsTwoKilobytesOfASlot() {
        addMany(ClaimId.Kind.MESSAGE, 0, 20_000, i -> NOW.millis() + i / 100);
        prepare(NOW);
        answerCuts(((Request.CutSlots) requests.get(0)).slots(), NOW.seconds() + RETENTION + 86_400);

        Claims.Prepared claim = prepare(NOW);

        assertThat(claim).isNotNull();
        assertThat(claim.slots()).hasSizeGreaterThan(80);
        assertThat(claim.slots().stream().mapToInt(update -> update.ids().length).average().orElseThrow()).isBetween(215.0,
                235.0);
    }

    /** A writer that has just started cuts like this: it knows nothing of the minute before, and little of this one. */
    @Test
    void aBurstInAMinuteThatWasCutTooCoarselyCostsFewUnits() {
        int messages = 33_000;
        for (int i = 0; i < messages; i++) {
            add(ClaimId.Kind.MESSAGE, NOW.millis() + i / 100, i * 0x9E3779B97F4A7C15L);
        }
        cutInto(180);

        Map<Slot, Set<Long>> table = new HashMap<>();
        long units = 0;
        int transactions = 0;
        for (Claims.Prepared claim = prepare(NOW); claim != null; claim = prepare(NOW)) {
            transactions++;
            List<SlotContent> full = claim.slots().stream().map(SlotUpdate::slot)
                    .filter(slot -> table.getOrDefault(slot, Set.of()).size() >= ClaimLimits.DEFAULTS.slotFullAt())
                    .map(slot -> new SlotContent(slot, table.get(slot).stream().mapToLong(Long::longValue).toArray(),
                            Long.MAX_VALUE))
                    .toList();
            units += 2;
            for (SlotUpdate update : claim.slots()) {
                Set<Long> ids = table.computeIfAbsent(update.slot(), slot -> new HashSet<>());
                if (full.isEmpty()) {
                    LongStream.of(update.ids()).forEach(ids::add);
                }
                units += 2L * (1 + ids.size() / 120);
            }
            if (full.isEmpty()) {
                claims.claimed(settled::add);
            } else {
                claims.refused(full, NOW, requests::add);
            }
        }

        assertThat(settled).hasSize(messages);
        assertThat(units / (double) messages).isLessThan(0.06);
        assertThat(transactions).isLessThan(40);
    }

    @Test
    void theCutOfTheTableCountsWhateverWasProposed() {
        add(ClaimId.Kind.MESSAGE, 60_000 * 7 + 30_000, 1);
        prepare(NOW);
        answerCuts(4, NOW.seconds() + RETENTION + 10);

        Claims.Prepared claim = prepare(NOW);

        assertThat(claim).isNotNull();
        assertThat(claim.slots()).singleElement().satisfies(update -> {
            assertThat(update.slot()).isEqualTo(new Slot(new CutKey(ClaimId.Kind.MESSAGE, 7), 2, ""));
            assertThat(update.ids()).containsExactly(1);
            assertThat(update.expires()).isGreaterThanOrEqualTo(NOW.seconds() + RETENTION);
        });
    }

    /** Otherwise a redelivery would find no cut, make another one, and look in other slots. */
    @Test
    void aCutThatWouldExpireBeforeTheClaimIsWrittenAgain() {
        add(ClaimId.Kind.MESSAGE, NOW.millis(), 1);
        cutInto(1);
        assertThat(prepare(NOW)).isNotNull();
        claims.claimed(settled::add);
        requests.clear();

        Now later = new Now(0, NOW.millis() + 2 * DAY_MILLIS);
        add(ClaimId.Kind.MESSAGE, NOW.millis(), 2);

        assertThat(prepare(later)).isNull();
        assertThat(requests).singleElement().isInstanceOfSatisfying(Request.CutSlots.class,
                cut -> assertThat(cut.expires()).isGreaterThanOrEqualTo(later.seconds() + RETENTION));
    }

    @Test
    void anIdWhoseSlotIsFullGoesToOneBelowIt() {
        // This time is a third into its minute.
        add(ClaimId.Kind.EVENT, NOW.millis(), 0xAB);
        Slot first = prepareOnly();

        claims.refused(List.of(new SlotContent(first, LongStream.range(1_000, 2_000).toArray(),
                NOW.seconds() + RETENTION + 86_400)), NOW, requests::add);
        Slot second = prepareOnly();
        assertThat(second).isEqualTo(new Slot(first.cut(), first.index(), "5"));

        claims.refused(List.of(new SlotContent(second, LongStream.range(5_000, 6_000).toArray(),
                NOW.seconds() + RETENTION + 86_400)), NOW, requests::add);
        assertThat(prepareOnly()).isEqualTo(new Slot(first.cut(), first.index(), "55"));
        assertThat(settled).isEmpty();
    }

    /** Otherwise a redelivery would find room in it, and be claimed there. */
    @Test
    void aFullSlotThatWouldExpireBeforeTheClaimIsKept() {
        add(ClaimId.Kind.EVENT, NOW.millis(), 1);
        Slot slot = prepareOnly();

        claims.refused(List.of(new SlotContent(slot, LongStream.range(1_000, 2_000).toArray(), NOW.seconds() + RETENTION - 1)),
                NOW, requests::add);
        Claims.Prepared claim = prepare(NOW);

        assertThat(claim).isNotNull();
        assertThat(claim.slots()).hasSize(2);
        assertThat(claim.slots().get(1).slot()).isEqualTo(slot);
        assertThat(claim.slots().get(1).ids()).isEmpty();

        // Its expiry is extended now.
        claims.claimed(settled::add);
        add(ClaimId.Kind.EVENT, NOW.millis(), 2);
        assertThat(prepare(NOW)).isNotNull().satisfies(next -> assertThat(next.slots()).hasSize(1));
    }

    @Test
    void aFullSlotThatExpiredIsForgotten() {
        add(ClaimId.Kind.EVENT, NOW.millis(), 1);
        Slot slot = prepareOnly();
        claims.refused(List.of(new SlotContent(slot, LongStream.range(1_000, 2_000).toArray(), NOW.seconds() - 1)), NOW,
                requests::add);
        assertThat(prepare(NOW)).isNotNull().satisfies(next -> assertThat(next.slots()).hasSize(2));

        claims.refused(List.of(new SlotContent(slot, new long[0], 0)), NOW, requests::add);

        assertThat(prepareOnly()).isEqualTo(slot);
    }

    /** A condition can name 140 ids; a lone writer only requires that a slot has no more ids than it knows. */
    @ParameterizedTest
    @CsvSource({ "2, 240, '140, 100'", "1, 240, 240", "1, 500, '390, 5/110'" })
    void idsOfOneSlotAreClaimedAsManyAtATimeAsAConditionNames(int writers, int ids, String expected) {
        addMany(ClaimId.Kind.EVENT, 0, ids, i -> NOW.millis());
        cutInto(1);

        List<String> sizes = new ArrayList<>();
        for (Claims.Prepared claim = prepare(writers); claim != null; claim = prepare(writers)) {
            String path = claim.slots().get(0).slot().path();
            sizes.add((path.isEmpty() ? "" : path + "/") + claim.slots().get(0).ids().length);
            claims.claimed(settled::add);
        }

        assertThat(String.join(", ", sizes)).isEqualTo(expected);
        assertThat(settled).hasSize(ids);
    }

    /** By a writer that was stopped, say. An item that may have expired may have been replaced. */
    @ParameterizedTest
    @CsvSource({ "15, 50, 150", "14, -1, 140" })
    void aSlotThatAnotherWriterHasUsedIsFilledOnceItsIdsAreKnown(int days, int holds, int ids) {
        // Given
        addMany(ClaimId.Kind.MESSAGE, 0, 200, i -> NOW.millis());
        cutInto(1);
        Slot slot = prepareOnly();

        // When
        claims.refused(List.of(new SlotContent(slot, LongStream.range(0, 50).toArray(),
                NOW.seconds() + days * 86_400L)), NOW, requests::add);

        // Then
        assertThat(prepare(1).slots()).singleElement().satisfies(update -> {
            assertThat(update.holds()).isEqualTo(holds);
            assertThat(update.ids()).hasSize(ids);
        });
        assertThat(settled).hasSize(50);
    }

    /** Otherwise claims in a backlog would be limited to the ids that one slot takes at a time. */
    @Test
    void aSlotWithoutRoomKeepsNoOtherIdsOutOfTheClaim() {
        addMany(ClaimId.Kind.MESSAGE, 0, 150, i -> MINUTE);
        addMany(ClaimId.Kind.MESSAGE, 150, 200, i -> MINUTE + 30_000);
        cutInto(2);

        Claims.Prepared first = prepare(2);
        claims.claimed(settled::add);
        Claims.Prepared second = prepare(2);

        assertThat(first).isNotNull();
        assertThat(first.slots().stream().map(slot -> slot.ids().length)).containsExactly(140, 50);
        assertThat(second).isNotNull();
        assertThat(second.slots()).singleElement().satisfies(slot -> assertThat(slot.ids()).hasSize(10));
    }

    @Test
    void unitsOfAClaimThatDidNotSucceedWaitBeforeThoseThatItLeftOut() {
        addMany(ClaimId.Kind.EVENT, 0, 150, i -> NOW.millis());
        prepareOnly();

        claims.forget();

        assertThat(claims.size()).isEqualTo(150);
        assertThat(claims.hasUpTo(1)).isTrue();
    }

    @Test
    void cutsAreAskedForSomeAtATime() {
        addMany(ClaimId.Kind.MESSAGE, 0, 1_000, i -> i * 60_000L);

        prepare(NOW);
        prepare(NOW);

        assertThat(requests).hasSize(64);
    }

    private void addMany(ClaimId.Kind kind, int from, int to, IntToLongFunction millis) {
        IntStream.range(from, to).forEach(i -> add(kind, millis.applyAsLong(i), i));
    }

    private void add(ClaimId.Kind kind, long millis, long hash) {
        ClaimUnit unit = new ClaimUnit(new ClaimId(kind, millis, hash), List.of(new Addition(
                new BucketItem("label", "minute#1", null), "minute",
                List.of(new Change("events", MeasureKind.COUNT, MeasureValue.of(BigDecimal.ONE))))));
        claims.add(new MessageState(new TestMessage(List.of(unit))));
    }

    @Test
    void aCutThatCannotBeReadHoldsUpItsMinuteAlone() {
        // Given
        add(ClaimId.Kind.MESSAGE, MINUTE, 1);
        add(ClaimId.Kind.MESSAGE, MINUTE + 60_000, 2);
        prepare(NOW);
        CutKey damaged = new CutKey(ClaimId.Kind.MESSAGE, MINUTE / 60_000);

        // When
        answerCutsBut(damaged);

        // Then
        assertThat(requests).containsExactly(new Request.ReportUnreadableClaims(damaged, "odd"));
        assertThat(prepare(NOW).slots()).singleElement().satisfies(slot -> assertThat(slot.slot().cut()).isNotEqualTo(damaged));
        claims.claimed(settled::add);
        requests.clear();
        assertThat(prepare(later(299))).isNull();
        assertThat(requests).isEmpty();

        // When it is looked at again, and still damaged
        assertThat(prepare(later(300))).isNull();
        answerCutsBut(damaged);
        assertThat(requests).as("reported once").isEmpty();

        // And when it has been mended
        prepare(later(900));
        answerCuts(1, Long.MAX_VALUE);
        assertThat(prepare(later(900)).slots()).hasSize(1);
        claims.claimed(settled::add);
        assertThat(settled).hasSize(2);
        assertThat(claims.size()).isZero();
    }

    /** More units than a claim may skip. */
    @Test
    void manyThatWaitForAnOddMinuteHoldUpNobody() {
        addMany(ClaimId.Kind.MESSAGE, 0, 20_000, i -> MINUTE);
        add(ClaimId.Kind.MESSAGE, MINUTE + 60_000, 20_000);
        prepare(NOW);
        answerCutsBut(new CutKey(ClaimId.Kind.MESSAGE, MINUTE / 60_000));
        cutInto(1);

        assertThat(prepare(NOW).slots()).hasSize(1);
    }

    private static Now later(long seconds) {
        return new Now(0, NOW.millis() + seconds * 1_000);
    }

    private void assertCut(int fromSlots, int toSlots) {
        assertThat(requests).singleElement().isInstanceOfSatisfying(Request.CutSlots.class,
                cut -> assertThat(cut.slots()).isBetween(fromSlots, toSlots));
    }

    private void claimAll() {
        while (prepare(NOW) != null) {
            claims.claimed(settled::add);
        }
    }

    private void answerCutsBut(CutKey damaged) {
        answerCuts(cut -> cut.key().equals(damaged) ? new Answer.Cut(0, 0, "odd") : new Answer.Cut(1, Long.MAX_VALUE));
    }

    private void cutInto(int slots) {
        prepare(NOW);
        answerCuts(slots, NOW.seconds() + RETENTION + 86_400);
    }

    private Claims.Prepared prepare(int writers) {
        return claims.prepare(Long.MAX_VALUE, writers, NOW, settled::add, requests::add);
    }

    private Claims.Prepared prepare(Now now) {
        return claims.prepare(Long.MAX_VALUE, 1, now, settled::add, requests::add);
    }

    /** Returns the only slot of the next claim; minutes are cut into one slot each. */
    private Slot prepareOnly() {
        Claims.Prepared claim = prepare(NOW);
        if (claim == null) {
            answerCuts(1, NOW.seconds() + RETENTION + 86_400);
            claim = prepare(NOW);
        }
        assertThat(claim).isNotNull();
        assertThat(claim.slots()).hasSize(1);
        return claim.slots().get(0).slot();
    }

    private void answerCuts(int slots, long expires) {
        answerCuts(cut -> new Answer.Cut(slots, expires));
    }

    private void answerCuts(Function<Request.CutSlots, Answer.Cut> answer) {
        List<Request> asked = List.copyOf(requests);
        requests.clear();
        for (Request request : asked) {
            if (request instanceof Request.CutSlots cut) {
                claims.cut(cut.key(), answer.apply(cut), NOW, requests::add);
            }
        }
    }
}
