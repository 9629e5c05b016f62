package dev.windrow.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;

import org.junit.jupiter.api.Test;

import dev.windrow.quickstart.QuickStart.Phases;

class PhasesTest {

    private static final Instant START = Instant.parse("2026-11-20T10:00:00Z");

    private Instant now = START;

    @Test
    void phasesFollowEachOtherWithoutGaps() {
        Phases phases = new Phases(() -> now, START);

        now = START.plusMillis(30_400);
        phases.end("build");
        now = START.plusMillis(38_600);
        phases.end("start");

        assertThat(phases).hasToString("39 s (build 30 s, start 8 s)");
    }
}
