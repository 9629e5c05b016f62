package dev.windrow.writer.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.windrow.dataset.Delivery;
import dev.windrow.local.LocalAws;

/** Writers that are killed with SIGKILL at random moments and started again. */
class KilledWriterIT {

    private static LocalAws aws;

    @BeforeAll
    static void startServers() {
        aws = Servers.start();
    }

    @AfterAll
    static void stopServers() {
        aws.close();
    }

    @ParameterizedTest
    @CsvSource({ "1, 20000, 20", "2, 6000, 6", "4, 6000, 6" })
    @Timeout(1_200)
    void countsExactly_whenWritersAreKilled(int writers, int events, int kills) {
        // given
        Random random = Seed.random("killed-" + writers);
        Traffic traffic = new Traffic(random);
        try (WriterSite site = WriterSite.open(aws, "killed-" + writers, Delivery.EXACTLY_ONCE,
                WriterSite.VISIBILITY)) {
            List<WriterSlot> slots = Stream.generate(site::slot).limit(writers).toList();
            slots.forEach(WriterSlot::start);

            // when
            for (int kill = 1; kill <= kills; kill++) {
                KillMoment moment = kill == kills ? KillMoment.beforeDelete() : KillMoment.random(random);
                CompletableFuture<WriterSlot> victim = moment.arm(slots);
                site.send(traffic.messages(events / kills));
                await(moment.toString()).atMost(WriterSite.LIMIT).until(victim::isDone);
                victim.join().start();
            }
            site.awaitDrained();

            // then
            assertThat(traffic.events()).isEqualTo(events);
            assertThat(site.stored()).isEqualTo(traffic.expected());
            assertThat(site.deadLetters()).isZero();
            assertThat(slots.stream().mapToDouble(slot -> WriterMetrics.duplicates(slot.process())).sum())
                    .as("duplicates dropped since the last kill").isPositive();
        }
    }
}
