package dev.windrow.writer.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import dev.windrow.local.LocalAws;
import dev.windrow.local.LocalAwsOptions;
import dev.windrow.testing.Seeds;
import dev.windrow.writer.process.StoredTable.Bucket;
import dev.windrow.writer.process.StoredTable.Measures;

/** Datasets and measures with conditions, by writers that are killed, from a queue that repeats itself. */
@Tag("slow")
@Timeout(300)
class ConditionsIT {

    private static final int MESSAGES = 300;
    private static final int EVENTS = 20;
    private static final int PAGES = 8;
    private static final int TIMES = 3;
    private static final int KILLS = 2;

    private static final String DATASETS = """
            windrow:
              datasets:
                people:
                  event-type: request
                  label: [page]
                  granularities: [hour]
                  where: {bot: {exists: false}}
                  measures:
                    events: {type: count, where: {status: {from: 500}}}
                    bytes: {type: sum, attribute: bytes, where: {path: {prefix: /api/}, status: [200, 503]}}
            """;

    private final SortedMap<Bucket, Measures> expected = new TreeMap<>();

    @Test
    void whatMeetsTheConditionsCountsOnceAndTheRestAddsNothing() {
        // given
        Random random = new Random(Seeds.seed("conditions"));
        try (LocalAws aws = LocalAws.start(LocalAwsOptions.forTests());
                WriterSite site = WriterSite.open(aws, "conditions", WriterSite.VISIBILITY, DATASETS)) {
            Redelivery redelivery = new Redelivery(TIMES, random, site::redeliver);
            List<WriterSlot> slots = List.of(site.slot(), site.slot());
            slots.forEach(WriterSlot::start);

            // when
            for (int kill = 0; kill < KILLS; kill++) {
                CompletableFuture<WriterSlot> victim = new KillMoment("UpdateItem", 3, kill == 0).arm(slots);
                slots.forEach(slot -> slot.sqs().use(redelivery.to(slot.options().name())));
                List<String> messages = new ArrayList<>();
                for (int i = 0; i < MESSAGES / KILLS; i++) {
                    messages.add(message(random));
                }
                site.queue.sendAll(messages);
                await().atMost(WriterSite.LIMIT).until(victim::isDone);
                victim.join().start();
            }
            site.awaitDrained();

            // then
            assertThat(redelivery.messages()).isEqualTo(MESSAGES);
            assertThat(redelivery.leastDeliveries()).isGreaterThanOrEqualTo(TIMES);
            assertThat(site.table.buckets()).isEqualTo(expected);
            assertThat(site.deadLetters.size()).isZero();
        }
    }

    private String message(Random random) {
        List<String> events = new ArrayList<>();
        for (int i = 0; i < EVENTS; i++) {
            int page = random.nextInt(PAGES);
            int status = List.of(200, 404, 500, 503).get(random.nextInt(4));
            boolean api = random.nextBoolean();
            boolean bot = random.nextInt(3) == 0;
            int sign = random.nextInt(4) == 0 ? -1 : 1;
            int bytes = sign * random.nextInt(1_000);
            // What excluded events lack, or have of the wrong type, is none of the dataset's business.
            events.add("{\"type\":\"request\",\"time\":\"2026-11-20T10:00:00Z\",\"count\":" + sign + ",\"attributes\":{"
                    + (bot ? "\"bot\":true,\"bytes\":[]" : "\"page\":\"p" + page + "\",\"bytes\":" + bytes) + ",\"status\":"
                    + (random.nextBoolean() ? status : "\"" + status + "\"") + ",\"path\":\"" + (api ? "/api/x" : "/x")
                    + "\"}}");
            if (!bot) {
                boolean sums = api && (status == 200 || status == 503);
                expected.merge(new Bucket("people", "p" + page, "hour", "2026-11-20T10:00:00Z"),
                        Measures.of(BigDecimal.valueOf(status >= 500 ? sign : 0), BigDecimal.valueOf(sums ? bytes : 0), null,
                                null),
                        Measures::plus);
            }
        }
        return "[" + String.join(",", events) + "]";
    }
}
