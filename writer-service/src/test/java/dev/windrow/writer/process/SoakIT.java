package dev.windrow.writer.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

import dev.windrow.local.LocalAws;
import dev.windrow.local.LocalAwsOptions;
import dev.windrow.local.fault.FaultPlan;
import dev.windrow.table.TableSchema;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Everything at once for a long time: two writers that are killed, put to sleep and ended in order, behind unreliable
 * proxies, beside a third one that nothing happens to but what happens to the queue and the table, and whose memory is
 * watched. Runs on demand, as long as the system property says: {@code ./mvnw verify -Psoak} for ten minutes.
 */
@EnabledIfSystemProperty(named = SoakIT.DURATION, matches = "P.+")
class SoakIT {

    static final String DURATION = "windrow.soak";

    private static final int EVENTS_A_ROUND = 1_000;
    private static final int MAX_LANES = 8;
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
        try (LocalAws aws = LocalAws.start(LocalAwsOptions.forTests());
                WriterSite site = WriterSite.open(aws, "soak", WriterSite.VISIBILITY)) {
            List<WriterSlot> slots = List.of(site.slot(), site.slot());
            slots.forEach(WriterSlot::start);
            WriterProcess spared = site.slot().start().awaitReady();
            HeapWatch heap = new HeapWatch();

            // when
            int rounds = 0;
            while (System.nanoTime() < end) {
                Incident incident = Incident.values()[site.random.nextInt(Incident.values().length)];
                System.out.println("round " + ++rounds + ": " + incident + ", " + site.traffic.events() + " events");
                happen(incident, site, slots);
                heap.see(spared.metric("jvm_memory_used_bytes", "area=\"heap\""));
            }
            slots.forEach(SoakIT::calm);
            site.awaitDrained();

            // then
            Map<String, List<Map<String, AttributeValue>>> items = site.table.itemsByKind();
            List<Map<String, AttributeValue>> buckets = items.get("");
            int lanes = items.get("~lane").size();
            System.out.println("soak: " + site.traffic.events() + " events in " + rounds + " rounds; " + lanes + " lanes, "
                    + buckets.size() + " buckets; " + heap);
            site.requireExact();
            // A seat for each writer, and one for each lane that waits to be recovered.
            assertThat(lanes).isLessThanOrEqualTo(MAX_LANES);
            assertThat(buckets).hasSizeLessThanOrEqualTo(MAX_BUCKETS_A_LABEL * site.traffic.expected().size());
            // A position for each lane.
            assertThat(buckets).allSatisfy(bucket -> assertThat(bucket.keySet().stream().filter(name -> name.matches("j\\d+")))
                    .hasSizeLessThanOrEqualTo(lanes));
            for (String kind : List.of("~record", "~cut", "~slot")) {
                assertThat(items.getOrDefault(kind, List.of())).as("%s expires", kind)
                        .allSatisfy(item -> assertThat(item).containsKey(TableSchema.TTL));
            }
            assertThat(heap.growth()).as("%s", heap).isLessThan(HeapWatch.MAX_GROWTH);
        }
    }

    private static void happen(Incident incident, WriterSite site, List<WriterSlot> slots) {
        WriterSlot slot = slots.get(site.random.nextInt(slots.size()));
        slots.forEach(SoakIT::calm);
        switch (incident) {
            case KILL -> site.sendUntilKilled(KillMoment.random(site.random), slots, EVENTS_A_ROUND).start();
            case SLEEP -> {
                slot.process().awaitReady();
                site.send(EVENTS_A_ROUND);
                slot.process().pause();
                site.awaitDrained();
                slot.process().resume();
            }
            case TERMINATE -> {
                slot.process().awaitReady();
                site.send(EVENTS_A_ROUND);
                slot.process().terminate();
                slot.process().awaitExit(WriterSite.LIMIT);
                slot.start();
            }
            case WEATHER -> {
                slots.forEach(each -> each.dynamoDb().use(UnreliableServicesIT.UnreliableNetwork.ofTheTable(site.random)));
                slots.forEach(each -> each.sqs().use(
                        UnreliableServicesIT.UnreliableNetwork.ofDeletes(site.random)
                                .or(UnreliableServicesIT.UnreliableNetwork.ofReceives(site.random))));
                site.send(EVENTS_A_ROUND);
                site.awaitDrained();
            }
            case CALM -> {
                site.send(EVENTS_A_ROUND);
                site.awaitDrained();
            }
        }
    }

    private static void calm(WriterSlot slot) {
        slot.dynamoDb().use(FaultPlan.none());
        slot.sqs().use(FaultPlan.none());
    }

    /** The heap that a process uses over time: what is left after collections is the lowest of many samples. */
    private static final class HeapWatch {

        /** Allows for classes and caches that are filled meanwhile. */
        static final double MAX_GROWTH = 24 * 1_024 * 1_024;

        private static final double MEGABYTE = 1_024 * 1_024;
        private static final int PARTS = 3;
        /** Fewer do not include one soon after a collection. */
        private static final int MIN_SAMPLES_OF_PART = 20;

        private final List<Double> samples = new ArrayList<>();

        void see(double bytes) {
            samples.add(bytes);
        }

        /** By how many bytes the lowest of the last third is above that of the first; 0 if there are too few samples. */
        double growth() {
            int part = samples.size() / PARTS;
            return part < MIN_SAMPLES_OF_PART ? 0 : lowest(samples.size() - part, samples.size()) - lowest(0, part);
        }

        private double lowest(int from, int to) {
            return samples.subList(from, to).stream().mapToDouble(Double::doubleValue).min().orElse(0);
        }

        @Override
        public String toString() {
            int part = samples.size() / PARTS;
            return String.format(Locale.ROOT,
                    "heap of the spared writer: %d samples, lowest %.0f MB in the first third, %.0f MB in the last",
                    samples.size(), lowest(0, part) / MEGABYTE, lowest(samples.size() - part, samples.size()) / MEGABYTE);
        }
    }
}
