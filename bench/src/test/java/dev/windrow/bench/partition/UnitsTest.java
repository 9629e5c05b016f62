package dev.windrow.bench.partition;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UnitsTest {

    @ParameterizedTest
    @CsvSource({ "1, 1", "1024, 1", "1025, 2", "2048, 2", "400000, 391" })
    void aWriteCostsAUnitPerBegunKilobyteAndTwiceThatInATransaction(int bytes, double units) {
        assertThat(Units.write(bytes)).isEqualTo(units);
        assertThat(Units.transactionalWrite(bytes)).isEqualTo(2 * units);
    }
}
