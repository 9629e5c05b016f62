package dev.windrow.bench.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MeterTest {

    @ParameterizedTest
    @CsvSource({ "1, 1", "1024, 1", "1025, 2", "2048, 2", "400000, 391" })
    void aWriteCostsAUnitPerBegunKilobyteAndTwiceThatInATransaction(int bytes, double units) {
        assertThat(Meter.writeUnits(bytes, false)).isEqualTo(units);
        assertThat(Meter.writeUnits(bytes, true)).isEqualTo(2 * units);
    }

    @ParameterizedTest
    @CsvSource({ "0, 1", "4096, 1", "4097, 2", "1048576, 256" })
    void aReadCostsAUnitPerBegunFourKilobytesAndHalfOfThatIfNotConsistent(int bytes, double units) {
        assertThat(Meter.readUnits(bytes, true)).isEqualTo(units);
        assertThat(Meter.readUnits(bytes, false)).isEqualTo(units / 2);
    }
}
