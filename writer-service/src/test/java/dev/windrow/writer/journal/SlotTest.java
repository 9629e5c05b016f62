package dev.windrow.writer.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.windrow.testing.Seeds;
import dev.windrow.writer.record.ClaimId;

class SlotTest {

    private static final long MINUTE = 29_000_000;
    private static final int IDS = 2_000;

    private final RandomGenerator random = Seeds.random("SlotTest");

    private ClaimId id(ClaimId.Kind kind) {
        return new ClaimId(kind, MINUTE * 60_000 + random.nextInt(60_000), random.nextLong());
    }

    private static Slot slot(ClaimId id, int slots, int depth) {
        Slot slot = Slot.of(id, slots);
        for (int i = 0; i < depth; i++) {
            slot = slot.below(id, slots);
        }
        return slot;
    }

    @ParameterizedTest
    @EnumSource
    void idsOfTimesOneAfterTheOtherShareSlotsAtEveryDepth(ClaimId.Kind kind) {
        int slots = random.nextInt(1, 1_000);
        // At this depth, a slot is still a few milliseconds long.
        int depth = slots < 15 ? 2 : slots < 234 ? 1 : 0;
        List<ClaimId> ids = Stream.generate(() -> id(kind)).limit(IDS).sorted(Comparator.comparingLong(ClaimId::millis))
                .toList();

        List<String> keys = ids.stream().map(id -> slot(id, slots, depth))
                .map(slot -> String.format("%05d%s", slot.index(), slot.path())).toList();

        assertThat(keys).as("%d slots, depth %d", slots, depth).isSorted();
    }

    @Test
    void slotsBelowOneShareItsTimeEqually() {
        Set<String> paths = new HashSet<>();
        for (int i = 0; i < 16; i++) {
            ClaimId id = new ClaimId(ClaimId.Kind.MESSAGE, MINUTE * 60_000 + 12_000 + i * 750L, 7);
            Slot slot = Slot.of(id, 5).below(id, 5);
            assertThat(slot.index()).isEqualTo(1);
            paths.add(slot.path());
        }

        assertThat(paths).hasSize(16);
    }

    @ParameterizedTest
    @EnumSource
    void idsOfOneMillisecondGoByTheirHashes(ClaimId.Kind kind) {
        Set<Slot> slots = new HashSet<>();
        for (int i = 0; i < IDS; i++) {
            slots.add(slot(new ClaimId(kind, MINUTE * 60_000, random.nextLong()), 60_000, 2));
        }

        assertThat(slots).hasSizeGreaterThan(200);
    }

    /** Even ids of one instant are divided after five full slots, however coarse the cut. */
    @Test
    void theWayToAHashIsShort() {
        ClaimId id = new ClaimId(ClaimId.Kind.EVENT, MINUTE * 60_000, 0xAB_0000);

        assertThat(slot(id, 1, 6).path()).isEqualTo("0000ba");
    }
}
