package dev.windrow.writer.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.windrow.local.LocalAws;
import dev.windrow.local.LocalAwsOptions;
import dev.windrow.writer.process.StoredTable.Measures;

/** Writers that are killed with SIGKILL at random moments and started again. */
class KilledWriterIT {

    /** Few enough for {@code .ci/run}; {@code -Dwindrow.kills=N} for more. */
    private static final int KILLS = Integer.getInteger("windrow.kills", 6);
    private static final int EVENTS_PER_KILL = 1_000;

    @AutoClose
    private static LocalAws aws;

    @BeforeAll
    static void startServers() {
        aws = LocalAws.start(LocalAwsOptions.forTests());
    }

    @Tag("slow")
    @Test
    @Timeout(300)
    void countsExactly_whenAWriterIsKilledAFewTimes() {
        requireExact("killed-few", Traffic.DATASETS, 1, 3_000, 3);
    }

    @ParameterizedTest(name = "{0} writers, by {1}")
    @CsvSource({ "1, message", "2, message", "4, message", "1, event", "2, event", "4, event" })
    @Tag("long")
    @Timeout(900)
    void countsExactly_whenWritersAreKilled(int writers, String dedupe) {
        requireExact("killed-" + writers + "-" + dedupe, dedupe.equals("event") ? Traffic.DATASETS_BY_EVENT : Traffic.DATASETS,
                writers, KILLS * EVENTS_PER_KILL, KILLS);
    }

    private static void requireExact(String name, String datasets, int writers, int events, int kills) {
        // given
        try (WriterSite site = WriterSite.open(aws, name, WriterSite.VISIBILITY, datasets)) {
            List<WriterSlot> slots = Stream.generate(site::slot).limit(writers).toList();
            slots.forEach(WriterSlot::start);

            // when
            for (int kill = 1; kill <= kills; kill++) {
                KillMoment moment = kill == kills ? KillMoment.beforeDelete() : KillMoment.random(site.random);
                site.sendUntilKilled(moment, slots, events / kills).start();
            }
            site.awaitDrained();

            // then
            assertThat(site.traffic.events()).isGreaterThanOrEqualTo(events);
            site.requireExact();
            for (String granularity : List.of("hour", "forever")) {
                assertThat(site.table.leaderboards(granularity, "largest"))
                        .isEqualTo(site.traffic.leaderboards(granularity, Measures::largest));
            }
            assertThat(site.table.leaderboards("forever", "events"))
                    .isEqualTo(site.traffic.leaderboards("forever", Measures::events));
            assertThat(slots.stream().mapToDouble(slot -> slot.process().awaitReady().duplicates()).sum())
                    .as("duplicates dropped since the last kill").isPositive();
        }
    }
}
