package dev.windrow.writer.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.windrow.dataset.MeasureKind;
import dev.windrow.dataset.MeasureValue;
import dev.windrow.scatter.Murmur3;
import dev.windrow.writer.journal.simulation.Direct;
import dev.windrow.writer.record.Addition;
import dev.windrow.writer.record.BucketItem;
import dev.windrow.writer.record.Change;
import dev.windrow.writer.record.ClaimId;
import dev.windrow.writer.record.ClaimUnit;
import dev.windrow.writer.testing.TestMessage;
import dev.windrow.writer.testing.TestUnits;
import dev.windrow.writer.testing.UsualSettings;

/** Shapes of data that are hard on slots, records and transactions. */
class HardShapesTest {

    private static final String IMPORT = """
            windrow:
              datasets:
                picks:
                  event-type: pick
                  label: []
                  granularities: [minute]
                  dedupe: event-id
                  measures: {events: {type: count}}
            """;

    private final Direct direct = new Direct();

    /** At a whole second, over which events are spread, and at an instant where they are not. */
    @Tag("slow")
    @ParameterizedTest
    @CsvSource({ "2026-09-20T00:00:00Z, 1", "2026-09-20T00:00:00Z, 100", "2026-09-20T00:00:00.5Z, 1",
            "2026-09-20T00:00:00.5Z, 100" })
    void anImportOfSixtyThousandEventsOfOneInstantIsExact(String time, int known) {
        TestUnits imported = new TestUnits(IMPORT);
        List<JournalMessage> messages = new ArrayList<>();
        for (int i = 0; i < 600; i++) {
            String body = IntStream.range(i * 100, i * 100 + 100).mapToObj(event -> "{\"type\":\"pick\",\"id\":\"event-"
                    + event + "\",\"time\":\"" + time + "\"}").collect(Collectors.joining(",", "[", "]"));
            messages.add(message(imported.of(TestUnits.message("m" + i, Instant.EPOCH, body))));
        }
        BucketItem bucket = messages.get(0).units().get(0).additions().get(0).item();

        // The first messages decide how the day's first minute is cut.
        direct.start(UsualSettings.of("first"));
        messages.subList(0, known).forEach(direct::receive);
        direct.run(2_000);
        messages.subList(known, messages.size()).forEach(direct::receive);
        direct.run(3_000);

        assertThat(direct.sum(bucket, "events")).isEqualByComparingTo("60000");
        checkTransactions();
        checkSlots();

        // Everything is redelivered, to a writer that knows nothing.
        int claims = direct.requests(Request.ClaimMessages.class).size();
        direct.start(UsualSettings.of("second"));
        messages.forEach(message -> direct.receive(message(message.units())));
        direct.run(5_000);

        assertThat(direct.sum(bucket, "events")).isEqualByComparingTo("60000");
        assertThat(direct.requests(Request.DeleteMessage.class)).hasSize(1_200);
        // Refused claims cost as much as successful ones.
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

        direct.start(UsualSettings.of("writer"));
        direct.receive(message(units));
        direct.run(5_000);

        assertThat(direct.requests(Request.ClaimMessages.class)).hasSize(1);
        assertThat(direct.requests(Request.ApplySums.class)).hasSize(3_000);
        assertThat(direct.requests(Request.DeleteMessage.class)).hasSize(1);
        checkTransactions();
        direct.checkBuckets();
    }

    /** DynamoDB's limits: 100 items and 4 MB per transaction, 400 KB per item, and the ids that one condition can name. */
    private void checkTransactions() {
        for (Request.ClaimMessages claim : direct.requests(Request.ClaimMessages.class)) {
            assertThat(1 + claim.chunks().size() + claim.slots().size()).isLessThanOrEqualTo(100);
            assertThat(claim.chunks()).allMatch(chunk -> chunk.length <= 350_000);
            assertThat(claim.slots()).allMatch(slot -> slot.holds() != SlotUpdate.NAMED || slot.ids().length <= 140);
        }
    }

    /** Ids have short paths, no slot reaches 4 KB, and claims are neither many nor small. */
    private void checkSlots() {
        Map<Slot, Set<Long>> slots = new HashMap<>();
        List<Request.ClaimMessages> claims = direct.requests(Request.ClaimMessages.class);
        for (Request.ClaimMessages claim : claims) {
            // Full slots refuse a claim.
            if (claim.slots().stream().allMatch(update -> idsOf(update, slots).size() < update.fullAt())) {
                claim.slots().forEach(update -> LongStream.of(update.ids()).forEach(idsOf(update, slots)::add));
            }
        }
        assertThat(slots.values()).allMatch(ids -> ids.size() * Long.BYTES < 3_500);
        assertThat(slots.values().stream().mapToInt(Set::size).sum()).isEqualTo(60_000);
        assertThat(slots.keySet()).allMatch(slot -> slot.path().length() <= 6);
        assertThat(claims).hasSizeLessThan(50);
        assertThat(claims.stream().mapToInt(claim -> claim.slots().size()).sum()).isLessThan(4_000);
    }

    private static Set<Long> idsOf(SlotUpdate update, Map<Slot, Set<Long>> slots) {
        return slots.computeIfAbsent(update.slot(), slot -> new HashSet<>());
    }

    private static JournalMessage message(List<ClaimUnit> units) {
        return new TestMessage(units);
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
