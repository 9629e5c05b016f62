package dev.windrow.bench.partition;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The worked examples of the seeds. */
class FormulasTest {

    @Test
    void sevenAndAHalfThousandReadsAndThreeThousandWritesNeedSixPartitions() {
        // "7500 RCU + 3000 WCU i.e 2.5 + 3 = 6 partitions"
        assertThat(Formulas.partitionsForCapacity(7_500, 3_000)).isEqualTo(6);
    }

    @Test
    void sixtyFiveGigabytesNeedSevenPartitions() {
        // "65GB / 10GB = 6.5 = 7 partitions"
        assertThat(Formulas.partitionsForSize(65)).isEqualTo(7);
    }

    @Test
    void theGreaterOfThroughputAndSizeDecides() {
        // "MAX(capacity formula, storage formula)"
        assertThat(Formulas.partitions(7_500, 3_000, 65)).isEqualTo(7);
        assertThat(Formulas.partitions(7_500, 3_000, 10)).isEqualTo(6);
    }

    @Test
    void moreReadsAddAPartition() {
        // "( 5,000 / 3,000 ) + ( 2,000 / 1,000 ) = 3.6667 --> 4", then with 8,000 reads "4.6667 --> 5"
        assertThat(Formulas.partitionsForCapacity(5_000, 2_000)).isEqualTo(4);
        assertThat(Formulas.partitionsForCapacity(8_000, 2_000)).isEqualTo(5);
    }

    @Test
    void intrusionTableOfTwelveThousandWritesNeedsTwelvePartitions() {
        // "12,000 WCU will result in approximately 12 partitions"
        assertThat(Formulas.partitionsForCapacity(0, 12_000)).isEqualTo(12);
    }

    @Test
    void fiveThousandEventsOfTwoHundredReferrersNeedFiveHundredWrites() {
        // "((5000 / 2000 = 2.5) * 200 = 500) / 1 = 500 writes/second"
        assertThat(Formulas.writes(5_000, 2_000, 200, 1)).isEqualTo(500);
    }

    @Test
    void aHundredScatteredValuesTakeAHundredThousandWritesASecond() {
        // "1000 * cardinality of scatter value (100) = 100,000 writes/second"
        assertThat(Formulas.scatteredWrites(100)).isEqualTo(100_000);
    }
}
