package dev.windrow.writer.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.windrow.dataset.DeliveryGuarantee;
import dev.windrow.local.LocalAws;
import dev.windrow.local.LocalAwsOptions;
import dev.windrow.local.fault.ProxyAudit;
import dev.windrow.testing.Seeds;

/** A writer whose requests and answers are lost, late or refused on their way. */
@Tag("long")
@Timeout(900)
class LostResponsesIT {

    private static final int EVENTS = 4_000;

    private static LocalAws aws;

    @BeforeAll
    static void startServers() {
        aws = LocalAws.start(LocalAwsOptions.forTests());
    }

    @AfterAll
    static void stopServers() {
        aws.close();
    }

    @ParameterizedTest
    @EnumSource(StorageFormat.class)
    void countsExactly_whenTheTablesAnswersAreLost(StorageFormat format) {
        // given
        Random random = new Random(Seeds.seed("lost-answers"));
        Traffic traffic = new Traffic(random);
        try (WriterSite site = WriterSite.open(aws, "lost-answers-" + format.word(), DeliveryGuarantee.EXACTLY_ONCE,
                WriterSite.VISIBILITY,
                format)) {
            WriterSlot slot = site.slot();
            slot.dynamoDb().use(UnreliableNetwork.ofTheTable(random));

            // when
            site.send(traffic.messages(EVENTS));
            slot.start();
            site.awaitDrained();

            // then
            ProxyAudit audit = slot.dynamoDb().audit();
            System.out.println("lost-answers: " + audit);
            assertThat(audit.faults("cut-after")).isPositive();
            assertThat(site.stored()).isEqualTo(traffic.expected());
            assertThat(site.deadLetters()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(StorageFormat.class)
    void countsExactly_whenReceivesAndDeletesAreLost(StorageFormat format) {
        // given
        Random random = new Random(Seeds.seed("lost-deletes"));
        Traffic traffic = new Traffic(random);
        try (WriterSite site = WriterSite.open(aws, "lost-deletes-" + format.word(), DeliveryGuarantee.EXACTLY_ONCE,
                WriterSite.VISIBILITY,
                format)) {
            WriterSlot slot = site.slot();
            slot.sqs().use(UnreliableNetwork.ofDeletes(random).or(UnreliableNetwork.ofReceives(random)));

            // when
            site.send(traffic.messages(EVENTS));
            slot.start();
            site.awaitDrained();

            // then
            ProxyAudit audit = slot.sqs().audit();
            System.out.println("lost-deletes: " + audit);
            assertThat(audit.faults("entries-fail")).isPositive();
            assertThat(site.stored()).isEqualTo(traffic.expected());
            assertThat(site.deadLetters()).isZero();
        }
    }

    @Test
    void neverCountsTooLittle_whenDeliveryIsAtLeastOnce() {
        // given
        Random random = new Random(Seeds.seed("at-least-once"));
        Traffic traffic = new Traffic(random);
        try (WriterSite site = WriterSite.open(aws, "at-least-once", DeliveryGuarantee.AT_LEAST_ONCE,
                WriterSite.VISIBILITY)) {
            WriterSlot slot = site.slot();
            slot.dynamoDb().use(UnreliableNetwork.ofTheTable(random));

            // when
            site.send(traffic.messages(EVENTS));
            slot.start();
            site.awaitDrained();

            // then
            SortedMap<Bucket, Measures> stored = site.stored();
            System.out.println("at-least-once: counted " + total(stored) + " of " + total(traffic.expected()));
            assertThat(stored.keySet()).isEqualTo(traffic.expected().keySet());
            traffic.expected().forEach((bucket, least) -> {
                Measures measures = stored.get(bucket);
                assertThat(measures.events()).as("%s", bucket).isGreaterThanOrEqualTo(least.events());
                assertThat(measures.bytes()).as("%s", bucket).isGreaterThanOrEqualTo(least.bytes());
                assertThat(measures.largest()).as("%s", bucket).isEqualTo(least.largest());
                assertThat(measures.smallest()).as("%s", bucket).isEqualTo(least.smallest());
            });
            assertThat(site.deadLetters()).isZero();
        }
    }

    private static BigDecimal total(Map<Bucket, Measures> buckets) {
        return buckets.values().stream().map(Measures::events).reduce(BigDecimal.ZERO, BigDecimal::add);
    }
}
