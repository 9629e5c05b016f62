package dev.windrow.writer.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

import dev.windrow.local.LocalAws;
import dev.windrow.local.LocalAwsOptions;
import dev.windrow.local.fault.FaultPlan;
import dev.windrow.testing.Seeds;

/**
 * Everything at once for a long time: two writers that are killed, put to sleep and ended in order, behind unreliable
 * proxies, beside a third one that nothing happens to but what happens to the queue and the table, and whose memory is
 * watched. Runs on demand, as long as the system property says: {@code ./mvnw verify -Psoak} for ten minutes.
 */
@EnabledIfSystemProperty(named = SoakIT.DURATION, matches = "P.+")
class SoakIT {

    static final String DURATION = "windrow.soak";

    private static final int EVENTS_A_ROUND = 1_000;
    private static final int MORE_EVENTS = 50;
    private static final Duration MORE_EVENTS_EVERY = Duration.ofSeconds(1);
    private static final int MAX_LANES = 8;
    /** Key shards of a vote. */
    private static final int MAX_BUCKETS_A_LABEL = 4;

    private enum Incident {
        KILL,
        SLEEP,
        TERMINATE,
        WEATHER,
        CALM
    }

    @Test
    @Timeout(value = 3, unit = TimeUnit.HOURS)
    void countsExactly_whateverHappens() {
        // given
        long end = System.nanoTime() + Duration.parse(System.getProperty(DURATION)).toNanos();
        Random random = new Random(Seeds.seed("soak"));
        Traffic traffic = new Traffic(random);
        try (LocalAws aws = LocalAws.start(LocalAwsOptions.forTests());
                WriterSite site = WriterSite.open(aws, "soak", WriterSite.VISIBILITY)) {
            List<WriterSlot> slots = List.of(site.slot(), site.slot());
            slots.forEach(WriterSlot::start);
            WriterProcess spared = site.slot().start().awaitReady();
            HeapWatch heap = new HeapWatch();

            // when
            int rounds = 0;
            while (System.nanoTime() < end) {
                Incident incident = Incident.values()[random.nextInt(Incident.values().length)];
                System.out.println("round " + ++rounds + ": " + incident + ", " + traffic.events() + " events");
                happen(incident, site, slots, traffic, random);
                heap.see(spared.metric("jvm_memory_used_bytes", "area=\"heap\""));
            }
            slots.forEach(SoakIT::calm);
            site.awaitDrained();

            // then
            StoredItems items = site.items();
            System.out.println("soak: " + traffic.events() + " events in " + rounds + " rounds; " + items + "; " + heap);
            assertThat(site.stored()).isEqualTo(traffic.expected());
            assertThat(site.deadLetters()).isZero();
            // A seat for each writer, and one for each lane that waits to be recovered.
            assertThat(items.count(StoredItems.Kind.LANE)).isLessThanOrEqualTo(MAX_LANES);
            assertThat(items.count(StoredItems.Kind.BUCKET))
                    .isLessThanOrEqualTo(MAX_BUCKETS_A_LABEL * traffic.expected().size());
            assertThat(items.positionsInBucket()).isLessThanOrEqualTo(items.count(StoredItems.Kind.LANE));
            assertThat(items.withoutExpiry()).as("records, cuts and slots that never expire").isZero();
            assertThat(heap.growth()).as("%s", heap).isLessThan(HeapWatch.MAX_GROWTH);
        }
    }

    private static void happen(Incident incident, WriterSite site, List<WriterSlot> slots, Traffic traffic,
            Random random) {
        WriterSlot slot = slots.get(random.nextInt(slots.size()));
        slots.forEach(SoakIT::calm);
        switch (incident) {
            case KILL -> {
                CompletableFuture<WriterSlot> victim = KillMoment.random(random).arm(slots);
                site.send(traffic.messages(EVENTS_A_ROUND));
                // The spared writer may take too many of them.
                await("a kill").atMost(WriterSite.LIMIT).pollInterval(MORE_EVENTS_EVERY).until(() -> {
                    site.send(traffic.messages(MORE_EVENTS));
                    return victim.isDone();
                });
                victim.join().start();
            }
            case SLEEP -> {
                slot.process().awaitReady();
                site.send(traffic.messages(EVENTS_A_ROUND));
                slot.process().pause();
                site.awaitDrained();
                slot.process().resume();
            }
            case TERMINATE -> {
                slot.process().awaitReady();
                site.send(traffic.messages(EVENTS_A_ROUND));
                slot.process().terminate();
                slot.process().awaitExit(WriterSite.LIMIT);
                slot.start();
            }
            case WEATHER -> {
                slots.forEach(each -> each.dynamoDb().use(UnreliableNetwork.ofTheTable(random)));
                slots.forEach(each -> each.sqs().use(
                        UnreliableNetwork.ofDeletes(random).or(UnreliableNetwork.ofReceives(random))));
                site.send(traffic.messages(EVENTS_A_ROUND));
                site.awaitDrained();
            }
            case CALM -> {
                site.send(traffic.messages(EVENTS_A_ROUND));
                site.awaitDrained();
            }
        }
    }

    private static void calm(WriterSlot slot) {
        slot.dynamoDb().use(FaultPlan.none());
        slot.sqs().use(FaultPlan.none());
    }
}
