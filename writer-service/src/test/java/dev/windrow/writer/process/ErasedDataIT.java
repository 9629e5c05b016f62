package dev.windrow.writer.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import dev.windrow.base.KeyCodec;
import dev.windrow.local.LocalAws;
import dev.windrow.local.LocalAwsOptions;
import dev.windrow.local.fault.DynamoDbFaults;
import dev.windrow.local.fault.Fault;
import dev.windrow.local.fault.FaultPlan;
import dev.windrow.local.fault.FaultProxy;
import dev.windrow.testing.Seeds;

/** The packaged command {@code erase} beside writers that go on to count other labels, and are killed. */
class ErasedDataIT {

    private static final String VALUE = "who is #42 $\u00fc";
    private static final String IN_KEYS = KeyCodec.encode(List.of(VALUE));

    @AutoClose
    private static LocalAws aws = LocalAws.start(LocalAwsOptions.forTests());

    @Tag("slow")
    @Test
    @Timeout(600)
    void nothingComesBackAndNothingElseChanges() throws Exception {
        Random random = new Random(Seeds.seed("erased"));
        Traffic traffic = new Traffic(random);
        CompletableFuture<Void> deleting = new CompletableFuture<>();
        FaultPlan watch = request -> {
            deleting.complete(null);
            return new Fault.Pass();
        };
        try (WriterSite site = WriterSite.open(aws, "erased", WriterSite.VISIBILITY);
                FaultProxy proxy = FaultProxy.start(aws.dynamoDbEndpoint(), watch.onlyFor("DeleteItem"))) {
            // Given a writer that has claimed additions and cannot apply them, and is killed
            WriterSlot held = site.slot();
            FaultPlan holding = request -> request.partitionKey().filter(key -> key.contains(IN_KEYS)).isPresent()
                    ? DynamoDbFaults.throughputExceeded()
                    : new Fault.Pass();
            held.dynamoDb().use(holding.onlyFor("UpdateItem"));
            held.start().awaitReady();
            site.send(traffic.messages(200));
            site.send(List.of(event("click", ""), event("view", ",\"url\":\"/\""), event("click", "")));
            await().atMost(WriterSite.LIMIT).until(() -> site.visible() + site.hidden() == 0);
            held.process().kill();
            assertThat(site.keys()).isNotEmpty().noneMatch(key -> key.contains(IN_KEYS));

            // When it is erased while another writer applies them, and is killed before and when items are deleted
            WriterSlot other = site.slot();
            other.start();
            Process erase = site.options().command(proxy.endpoint(), "erase", "attribute=referrer", "value=" + VALUE);
            for (int kill = 0; kill < 3; kill++) {
                CompletableFuture<WriterSlot> victim = KillMoment.random(random).arm(List.of(other));
                site.send(traffic.messages(300));
                await().atMost(WriterSite.LIMIT).until(victim::isDone);
                other.start();
            }
            while (!deleting.isDone() && erase.isAlive()) {
                count(site, traffic);
            }
            other.process().kill();
            other.start();
            while (erase.isAlive()) {
                count(site, traffic);
            }
            String output = new String(erase.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(erase.waitFor()).as(output).isZero();
            site.awaitDrained();

            // Then
            assertThat(output)
                    .contains("deleted of tenant default: 2 items of dataset clicks, 1 item of dataset urls-of-referrer")
                    .contains("copies remain in");
            assertThat(site.keys()).isNotEmpty().noneMatch(key -> key.contains(IN_KEYS));
            assertThat(site.stored()).isEqualTo(traffic.expected());
        }
    }

    /** Some more events of others. */
    private static void count(WriterSite site, Traffic traffic) {
        site.send(traffic.messages(100));
        await().atMost(WriterSite.LIMIT).until(() -> site.visible() == 0);
    }

    private static String event(String type, String more) {
        return "{\"type\":\"%s\",\"id\":\"erased\",\"time\":\"2026-11-20T22:00:00Z\",\"attributes\":{\"referrer\":\"%s\",\"bytes\":1%s}}"
                .formatted(type, VALUE, more);
    }
}
