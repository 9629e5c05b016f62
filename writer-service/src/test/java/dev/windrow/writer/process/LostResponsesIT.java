package dev.windrow.writer.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import dev.windrow.local.LocalAws;
import dev.windrow.local.LocalAwsOptions;
import dev.windrow.local.fault.ProxyAudit;
import dev.windrow.testing.Seeds;

/** A writer whose requests and answers are lost, late or refused on their way. */
@Tag("long")
@Timeout(900)
class LostResponsesIT {

    private static final int EVENTS = 4_000;

    @AutoClose
    private static LocalAws aws = LocalAws.start(LocalAwsOptions.forTests());

    @Test
    void countsExactly_whenTheTablesAnswersAreLost() {
        // given
        Random random = new Random(Seeds.seed("lost-answers"));
        Traffic traffic = new Traffic(random);
        try (WriterSite site = WriterSite.open(aws, "lost-answers", WriterSite.VISIBILITY)) {
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

    @Test
    void countsExactly_whenReceivesAndDeletesAreLost() {
        // given
        Random random = new Random(Seeds.seed("lost-deletes"));
        Traffic traffic = new Traffic(random);
        try (WriterSite site = WriterSite.open(aws, "lost-deletes", WriterSite.VISIBILITY)) {
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
}
