package dev.windrow.writer.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.windrow.measure.MeasureKind;
import dev.windrow.measure.MeasureValue;
import dev.windrow.scatter.Murmur3;
import dev.windrow.writer.journal.claim.ClaimId;
import dev.windrow.writer.journal.claim.ClaimUnit;
import dev.windrow.writer.journal.claim.JournalMessage;
import dev.windrow.writer.journal.claim.SlotUpdate;
import dev.windrow.writer.journal.record.Addition;
import dev.windrow.writer.journal.record.BucketItem;
import dev.windrow.writer.journal.record.Change;
import dev.windrow.writer.journal.request.Request;
import dev.windrow.writer.journal.simulation.Direct;

/** Shapes of data that are hard on slots, records and transactions. */
class HardShapesTest {

    private static final long DAY_MILLIS = 1_789_948_800_000L;

    private final Direct direct = new Direct();

    @Tag("slow")
    @Test
    void anImportWithDatesOnlyIsExact() {
        List<JournalMessage> messages = new ArrayList<>();
        for (int i = 0; i < 600; i++) {
            List<ClaimUnit> units = new ArrayList<>();
            for (int j = 0; j < 100; j++) {
                units.add(event("event-" + (i * 100 + j), 0));
            }
            messages.add(message(units));
        }

        // The first message decides how the day's first minute is cut, and knows of a hundred events only.
        direct.start(JournalSettings.defaults("first"));
        direct.receive(messages.get(0));
        direct.run(2_000);
        messages.subList(1, messages.size()).forEach(direct::receive);
        direct.run(3_000);

        assertThat(direct.sum(bucket(0), "events")).isEqualByComparingTo("60000");
        checkTransactions();

        // Everything comes again, to a writer that knows nothing.
        int claims = direct.requests(Request.ClaimMessages.class).size();
        direct.start(JournalSettings.defaults("second"));
        messages.forEach(message -> direct.receive(message(message.units())));
        direct.run(5_000);

        assertThat(direct.sum(bucket(0), "events")).isEqualByComparingTo("60000");
        assertThat(direct.requests(Request.DeleteMessage.class)).hasSize(1_200);
        // Refused claims cost as much as others.
        assertThat(direct.requests(Request.ClaimMessages.class).size() - claims).isLessThan(claims);
        direct.checkBuckets();
    }

    @Test
    void aMessageThatTouchesThreeThousandLabelsIsOneClaim() {
        List<ClaimUnit> units = new ArrayList<>();
        for (int part = 0; part < 30; part++) {
            List<Addition> additions = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                additions.add(addition(part * 100 + i));
            }
            units.add(new ClaimUnit(id(ClaimId.Kind.MESSAGE, "message/" + part, direct.now().millis()), additions));
        }

        direct.start(JournalSettings.defaults("writer"));
        direct.receive(message(units));
        direct.run(5_000);

        assertThat(direct.requests(Request.ClaimMessages.class)).hasSize(1);
        assertThat(direct.requests(Request.ApplySums.class)).hasSize(3_000);
        assertThat(direct.requests(Request.DeleteMessage.class)).hasSize(1);
        checkTransactions();
        direct.checkBuckets();
    }

    @Test
    void aBacklogOfSmallMessagesTakesFewClaims() {
        direct.start(JournalSettings.defaults("writer"));
        direct.run(1_000);
        for (int i = 0; i < 17_000; i++) {
            long sent = direct.now().millis() - 3_600_000 + i * 8L;
            direct.receive(message(List.of(new ClaimUnit(id(ClaimId.Kind.MESSAGE, "message-" + i, sent),
                    List.of(addition(i % 200))))));
        }

        direct.run(3_000);

        assertThat(direct.requests(Request.DeleteMessage.class)).hasSize(17_000);
        assertThat(direct.requests(Request.ClaimMessages.class).size()).isLessThan(12);
        // About a hundred ids to a slot: each costs two write units.
        assertThat(direct.requests(Request.ClaimMessages.class).stream().mapToInt(claim -> claim.slots().size()).sum())
                .isLessThan(250);
        checkTransactions();
        direct.checkBuckets();
    }

    @Test
    void whatTheTableNeverTakesIsFoundAndDoesNotTakeOthersWithIt() {
        direct.start(JournalSettings.defaults("writer"));
        List<JournalMessage> messages = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            messages.add(message(List.of(new ClaimUnit(id(ClaimId.Kind.MESSAGE, "message-" + i, direct.now().millis()),
                    List.of(addition(i))))));
        }
        direct.refuse(messages.get(37).units().get(0).id());

        messages.forEach(direct::receive);
        direct.run(5_000);

        assertThat(direct.requests(Request.SendUnclaimable.class)).singleElement()
                .satisfies(sent -> assertThat(sent.message()).isEqualTo(messages.get(37)));
        assertThat(direct.requests(Request.DeleteMessage.class)).hasSize(100);
        direct.checkBuckets();
    }

    /** DynamoDB: 100 items and 4 MB a transaction, 400 KB an item; and what one condition can name. */
    private void checkTransactions() {
        for (Request.ClaimMessages claim : direct.requests(Request.ClaimMessages.class)) {
            assertThat(1 + claim.chunks().size() + claim.slots().size()).isLessThanOrEqualTo(100);
            assertThat(claim.chunks()).allMatch(chunk -> chunk.length <= 350_000);
            assertThat(claim.slots()).allMatch(slot -> slot.ids().length <= SlotUpdate.MAX_IDS);
        }
    }

    private static JournalMessage message(List<ClaimUnit> units) {
        return new JournalMessage(new Object(), units);
    }

    private static ClaimUnit event(String id, int label) {
        return new ClaimUnit(id(ClaimId.Kind.EVENT, id, DAY_MILLIS), List.of(addition(label)));
    }

    private static ClaimId id(ClaimId.Kind kind, String id, long millis) {
        return new ClaimId(kind, millis, Murmur3.hash64(id));
    }

    private static BucketItem bucket(int label) {
        return new BucketItem("default#clicks#label-" + label + "#0", "minute#2026-09-20T00:00:00Z", null);
    }

    private static Addition addition(int label) {
        return new Addition(bucket(label), "minute",
                List.of(new Change("events", MeasureKind.COUNT, MeasureValue.of(BigDecimal.ONE))));
    }
}
