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
 * proxies. Runs on demand, as long as the system property says: {@code ./mvnw verify -Psoak} for ten minutes.
 */
@EnabledIfSystemProperty(named = SoakIT.DURATION, matches = "P.+")
class SoakIT {

    static final String DURATION = "windrow.soak";

    private static final int EVENTS_A_ROUND = 1_000;

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

            // when
            int rounds = 0;
            while (System.nanoTime() < end) {
                Incident incident = Incident.values()[random.nextInt(Incident.values().length)];
                System.out.println("round " + ++rounds + ": " + incident + ", " + traffic.events() + " events");
                happen(incident, site, slots, traffic, random);
            }
            slots.forEach(SoakIT::calm);
            site.awaitDrained();

            // then
            System.out.println("soak: " + traffic.events() + " events in " + rounds + " rounds");
            assertThat(site.stored()).isEqualTo(traffic.expected());
            assertThat(site.deadLetters()).isZero();
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
                await("a kill").atMost(WriterSite.LIMIT).until(victim::isDone);
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
