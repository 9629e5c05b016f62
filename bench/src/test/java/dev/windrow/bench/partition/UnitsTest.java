package dev.windrow.bench.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UnitsTest {

    private static final IndexEntry A = new IndexEntry(List.of("a", "1"), "x", 200);
    private static final IndexEntry A_CHANGED = new IndexEntry(List.of("a", "1"), "y", 200);
    private static final IndexEntry B = new IndexEntry(List.of("b", "1"), "x", 200);

    @ParameterizedTest
    @CsvSource({ "1, 1", "1024, 1", "1025, 2", "2048, 2", "400000, 391" })
    void aWriteCostsAUnitPerBegunKilobyteAndTwiceThatInATransaction(int bytes, double units) {
        assertThat(Units.write(bytes)).isEqualTo(units);
        assertThat(Units.transactionalWrite(bytes)).isEqualTo(2 * units);
    }

    @Test
    void eightIndexItemsOfTwoThousandBytesCostTwoReadUnits() {
        // Seed "Global Secondary Indexes": 16,000 bytes, rounded up to 16 KB, 0.5 x (16 KB / 4 KB) = 2
        assertThat(Units.read(8 * 2_000, false)).isEqualTo(2);
    }

    @Test
    void fourProjectedItemsOfTwoHundredBytesCostHalfAUnitAndFourWholeFetchesTwoMore() {
        // Seed "AWS and other interesting stuff": 4 x 200 bytes are one 4 KB read, 0.5 units; fetched singly 2.0 more
        assertThat(Units.read(4 * 200, false)).isEqualTo(0.5);
        assertThat(4 * Units.read(200, false)).isEqualTo(2.0);
    }

    @Test
    void aPageOfAMegabyteCostsAHundredAndTwentyEightUnitsOrTwiceThatConsistently() {
        // "(1 MB page size / 4 KB item size) / 2 (eventually consistent reads) = 128 read operations consumed", else 256
        assertThat(Units.read(1 << 20, false)).isEqualTo(128);
        assertThat(Units.read(1 << 20, true)).isEqualTo(256);
    }

    @Test
    void anIndexCostsOneWriteForANewEntryTwoForAMovedOneAndNoneWithoutAnEntry() {
        // Seed "Global Secondary Indexes", Write Capacity Units, its five rules in order
        assertThat(Units.index(IndexEntry.NONE, A)).as("defines an indexed attribute").isEqualTo(1);
        assertThat(Units.index(A, B)).as("changes the indexed key").isEqualTo(2);
        assertThat(Units.index(A, IndexEntry.NONE)).as("deletes the indexed attribute").isEqualTo(1);
        assertThat(Units.index(IndexEntry.NONE, IndexEntry.NONE)).as("not in the index before or after").isZero();
        assertThat(Units.index(A, A_CHANGED)).as("changes only projected attributes").isEqualTo(1);
        assertThat(Units.index(A, A)).as("changes nothing that is projected").isZero();
    }
}
