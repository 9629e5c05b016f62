package dev.windrow.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

import org.junit.jupiter.api.Test;

class PhasesTest {

    private static final Instant START = Instant.parse("2026-11-20T10:00:00Z");

    private Instant now = START;

    private final Clock clock = new Clock() {
        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Instant instant() {
            return now;
        }
    };

    @Test
    void phasesFollowEachOtherWithoutGaps() {
        Phases phases = new Phases(clock, START);

        now = START.plusMillis(30_400);
        phases.end("build");
        now = START.plusMillis(38_600);
        phases.end("start");

        assertThat(phases).hasToString("39 s (build 30 s, start 8 s)");
    }

    @Test
    void theFirstBeganWithTheProcess() {
        Phases phases = Phases.sinceStartOfThisProcess();

        phases.end("tests");

        assertThat(phases.toString()).matches("[0-9]+ s \\(tests [0-9]+ s\\)");
    }
}
