package dev.windrow.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.logging.Logger;

import org.junit.jupiter.api.Test;

class LogLinesTest {

    private static final Logger LOG = Logger.getLogger(LogLinesTest.class.getName());

    @Test
    void hasWhatTheClassLogsUntilItIsClosed() {
        // Given
        LogLines lines = LogLines.of(LOG);

        // When
        LOG.warning("first");
        LOG.info("second");
        lines.close();
        LOG.info("third");

        // Then
        assertThat(lines.all()).containsExactly("WARNING first", "INFO second");
    }
}
