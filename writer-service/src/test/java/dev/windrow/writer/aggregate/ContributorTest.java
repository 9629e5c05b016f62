package dev.windrow.writer.aggregate;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;

import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.yaml.DatasetsYaml;
import dev.windrow.reason.Reason;
import dev.windrow.writer.decode.EventDecoder;
import dev.windrow.writer.decode.Rejection;
import dev.windrow.writer.message.Message;
import dev.windrow.writer.testing.Shares;

class ContributorTest {

    private static final Instant SENT = Instant.parse("2026-11-20T10:31:40.999Z");

    private final Datasets datasets = DatasetsYaml.parse("test", """
            windrow:
              datasets:
                pages:
                  event-type: hit
                  label: [page]
                  granularities: [minute, 5-minutes, week, month]
                  index: [minute]
                  key-shards: 100
                  measures: {hits: {type: count}, ms: {type: sum, attribute: ms}}
                users:
                  event-type: hit
                  label: [user, page]
                  granularities: [day]
                  measures: {hits: {type: count}}
                  dedupe: event-id
            """);

    @Test
    void countsAnEventInAllDatasetsOfItsType() {
        Contributions contributions = contribute("m", hit("1", "p", "\"u\"", "5"), hit("2", "p", "\"u\"", "5"));
        assertThat(contributions.rejections()).isEmpty();
        assertThat(contributions.shares()).extracting(share -> share.series().dataset())
                .containsExactlyInAnyOrder("pages", "users", "users");
    }

    @Test
    void countsAnEventInNoDatasetIfOneCannotTakeIt() {
        Contributions contributions = contribute("m", hit("1", "p", "null", "5"));
        assertThat(contributions.shares()).isEmpty();
        assertThat(contributions.rejections()).extracting(Rejection::reason).containsExactly(Reason.MISSING_LABEL);
    }

    @Test
    void rejectsLabelsThatNoKeyCanHold() {
        Contributions contributions = contribute("m", hit("1", "p".repeat(1_010), "\"u\"", "5"),
                hit("2", "\\ud800", "\"u\"", "5"), hit("3", "fine", "true", "5"));
        assertThat(contributions.rejections()).extracting(Rejection::reason).containsExactly(Reason.KEY_TOO_LONG,
                Reason.INVALID_TEXT);
        assertThat(contributions.shares()).hasSize(2);
    }

    @Test
    void choosesKeyShardAndLedgerSlotAlikeAtEachDelivery() {
        List<Share> first = contribute("m", hit("1", "p", "\"u\"", "5")).shares();
        List<Share> second = contribute("m", hit("1", "p", "\"u\"", "5")).shares();
        List<Share> other = contribute("n", hit("1", "p", "\"u\"", "5")).shares();
        assertThat(second).extracting(Share::partitionKey, Share::ledgerId)
                .isEqualTo(first.stream().map(share -> Tuple.tuple(share.partitionKey(),
                        share.ledgerId())).toList());
        assertThat(first.get(0).ledgerId().second()).isEqualTo(SENT.getEpochSecond());
        assertThat(other.get(0).ledgerId()).isNotEqualTo(first.get(0).ledgerId());
        assertThat(other.get(1).ledgerId()).as("by the event's own id").isEqualTo(first.get(1).ledgerId());
    }

    @Test
    void spreadsMessagesOverAllKeyShards() {
        long shards = IntStream.range(0, 2_000).mapToObj(i -> contribute("m" + i, hit("1", "p", "\"u\"", "5")).shares()
                .get(0).series().keyShard()).distinct().count();
        assertThat(shards).isEqualTo(100);
    }

    @Test
    void cutsAShareWithVeryManyBucketsAlikeAtEachDelivery() {
        String events = IntStream.range(0, 300).mapToObj(i -> "{\"type\":\"hit\",\"id\":\"" + i + "\",\"time\":"
                + (1_795_170_600 + i * 60) + ",\"attributes\":{\"page\":\"p\",\"user\":\"u\"}}")
                .collect(Collectors.joining("\n"));
        List<LedgerId> first = pages(events).stream().map(Share::ledgerId).toList();
        assertThat(first).hasSizeGreaterThan(5).doesNotHaveDuplicates();
        assertThat(pages(events).stream().map(Share::ledgerId).toList()).isEqualTo(first);
        assertThat(pages(events)).allSatisfy(share -> assertThat(SeriesBatch.upserts(List.of(share)))
                .hasSizeLessThanOrEqualTo(Plan.MOST_SHARE_BUCKETS));
    }

    private List<Share> pages(String events) {
        return contribute("m", events).shares().stream().filter(share -> share.series().dataset().equals("pages")).toList();
    }

    private Contributions contribute(String id, String... events) {
        Message message = Shares.message(id, SENT, String.join("\n", events));
        return new Contributor(datasets).contribute(new PendingMessage(message),
                new EventDecoder(datasets).decode(message).events());
    }

    private static String hit(String id, String page, String user, String ms) {
        return "{\"type\":\"hit\",\"id\":\"" + id + "\",\"time\":\"2026-11-20T10:00:00Z\",\"attributes\":{\"page\":\""
                + page + "\",\"user\":" + user + ",\"ms\":" + ms + "}}";
    }
}
