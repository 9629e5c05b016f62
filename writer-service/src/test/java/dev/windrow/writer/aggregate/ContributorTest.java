package dev.windrow.writer.aggregate;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.yaml.DatasetsYaml;
import dev.windrow.reason.Reason;
import dev.windrow.writer.decode.DecodeResult;
import dev.windrow.writer.decode.MemoryBudget;
import dev.windrow.writer.decode.RejectedEvent;
import dev.windrow.writer.inflight.pending.PendingMessage;
import dev.windrow.writer.message.Message;
import dev.windrow.writer.testing.ReadMessage;
import dev.windrow.writer.testing.TestContributions;

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
                everything:
                  event-type: visit
                  label: []
                  granularities: [day]
                  measures: {hits: {type: count}}
            """);

    @Test
    void countsAllEventsInOneSeriesOfADatasetWithoutLabel() {
        Read contributions = contribute("m", hit("1", "p", "null", "5").replace("\"hit\"", "\"visit\""),
                hit("2", "q", "\"u\"", "5").replace("\"hit\"", "\"visit\""));

        assertThat(contributions.rejections()).isEmpty();
        assertThat(contributions.shares()).extracting(Contribution::partitionKey).containsOnly("default#everything#0");
    }

    @Test
    void countsAnEventInAllDatasetsOfItsType() {
        Read contributions = contribute("m", hit("1", "p", "\"u\"", "5"), hit("2", "p", "\"u\"", "5"));
        assertThat(contributions.rejections()).isEmpty();
        assertThat(contributions.shares()).extracting(share -> share.series().dataset())
                .containsExactlyInAnyOrder("pages", "users", "users");
    }

    @Test
    void countsAnEventInNoDatasetIfOneCannotTakeIt() {
        Read contributions = contribute("m", hit("1", "p", "null", "5"));
        assertThat(contributions.shares()).isEmpty();
        assertThat(contributions.rejections()).extracting(RejectedEvent::reason).containsExactly(Reason.MISSING_LABEL);
    }

    @Test
    void rejectsLabelsThatNoKeyCanHold() {
        Read contributions = contribute("m", hit("1", "p".repeat(1_010), "\"u\"", "5"),
                hit("2", "\\ud800", "\"u\"", "5"), hit("3", "fine", "true", "5"));
        assertThat(contributions.rejections()).extracting(RejectedEvent::reason).containsExactly(Reason.KEY_TOO_LONG,
                Reason.INVALID_TEXT);
        assertThat(contributions.shares()).hasSize(2);
    }

    @Test
    void choosesKeyShardAndLedgerSlotAlikeAtEachDelivery() {
        List<Contribution> first = contribute("m", hit("1", "p", "\"u\"", "5")).shares();
        List<Contribution> second = contribute("m", hit("1", "p", "\"u\"", "5")).shares();
        List<Contribution> other = contribute("n", hit("1", "p", "\"u\"", "5")).shares();
        assertThat(second).extracting(Contribution::partitionKey, Contribution::ledgerId)
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
        List<LedgerId> first = pages(events).stream().map(Contribution::ledgerId).toList();
        assertThat(first).hasSizeGreaterThan(5).doesNotHaveDuplicates();
        assertThat(pages(events).stream().map(Contribution::ledgerId).toList()).isEqualTo(first);
        assertThat(pages(events)).allSatisfy(share -> assertThat(SeriesBatch.upserts(List.of(share)))
                .hasSizeLessThanOrEqualTo(AggregationPlan.MAX_SHARE_BUCKETS));
    }

    @Test
    void rejectsIdsThatDoNotTellEventsApart() {
        Read read = contribute("m", hit("", "p", "\"u\"", "5"), hit("a\\ud800", "p", "\"u\"", "5"),
                hit("a\\udc00x", "p", "\"u\"", "5"), hit("\\ud83d\\ude00", "p", "\"u\"", "5"));
        assertThat(read.rejections()).extracting(RejectedEvent::reason).containsExactly(Reason.MISSING_FIELD,
                Reason.INVALID_TEXT, Reason.INVALID_TEXT);
        assertThat(read.shares()).hasSize(2);
    }

    @Test
    void tellsARetractionFromWhatItRetracts() {
        String hit = hit("1", "p", "\"u\"", "5");
        String retraction = hit.replace("{\"type", "{\"count\":-1,\"type");
        Function<List<Contribution>, List<LedgerId>> users = shares -> shares.stream()
                .filter(share -> share.series().dataset().equals("users")).map(Contribution::ledgerId).toList();

        List<LedgerId> both = users.apply(contribute("m", hit, retraction, hit, retraction).shares());

        assertThat(both).hasSize(2).doesNotHaveDuplicates();
        assertThat(users.apply(contribute("n", retraction).shares())).as("the same at each delivery")
                .containsExactly(both.get(1));
    }

    @ParameterizedTest
    @CsvSource({ "999999999999999, true", "1000000000000000, false", "-999999999999999.99999999999999, true",
            "0.00000000000001, true", "0.000000000000001, false", "1e60, false", "9e125, false", "1e-130, false",
            "1.50000000000000000000, true", "0e-100, true", "1e14, true", "0.30000000000000004, false" })
    void takesNumbersOfWhichAnySumHasAForm(String number, boolean taken) {
        Read read = contribute("m", hit("1", "p", "\"u\"", number));
        assertThat(read.rejections()).extracting(RejectedEvent::reason)
                .isEqualTo(taken ? List.of() : List.of(Reason.NUMBER_OUT_OF_RANGE));
    }

    @Test
    void takesAnyNumberForExtremes() {
        Datasets extremes = DatasetsYaml.parse("test", """
                windrow:
                  datasets:
                    hits:
                      event-type: hit
                      label: [page]
                      granularities: [day]
                      measures: {high: {type: max, attribute: ms}, last: {type: last, attribute: ms}}
                """);
        assertThat(contribute(extremes, Long.MAX_VALUE, "m", hit("1", "p", "\"u\"", "9e125")).shares()).hasSize(1);
    }

    @Test
    void countsAnEventInNoDatasetIfItsTimeIsNotAcceptedByOne() {
        Datasets accepting = DatasetsYaml.parse("test", """
                windrow:
                  datasets:
                    hits:
                      event-type: hit
                      label: [page]
                      granularities: [day]
                      measures: {hits: {type: count}}
                      accept: {past: 1h, future: PT1M}
                    all:
                      event-type: hit
                      label: [page]
                      granularities: [day]
                      measures: {hits: {type: count}}
                """);
        String[] times = { "2026-11-20T09:31:40.999Z", "2026-11-20T09:31:40.998Z", "2026-11-20T10:32:40.999Z",
                "2026-11-20T10:32:41Z" };
        String[] events = Arrays.stream(times).map(time -> hit("1", "p", "\"u\"", "5").replace("2026-11-20T10:00:00Z", time))
                .toArray(String[]::new);

        Read read = contribute(accepting, Long.MAX_VALUE, "m", events);

        assertThat(read.rejections()).extracting(RejectedEvent::index).containsExactly(1, 3);
        assertThat(read.rejections()).extracting(RejectedEvent::reason).containsOnly(Reason.TIME_NOT_ACCEPTED);
        assertThat(read.shares()).hasSize(2).extracting(Contribution::events).containsOnly(2L);
    }

    @Test
    void sendsAMessageAwayWholeWhoseLabelsTakeTooMuchMemory() {
        String[] events = IntStream.range(0, 10_000).mapToObj(i -> hit("1", "p" + i, "\"u\"", "5")).toArray(String[]::new);
        Read read = contribute(datasets, 1 << 20, "m", events);
        assertThat(read.shares()).isEmpty();
        assertThat(read.rejections()).extracting(RejectedEvent::reason).containsExactly(Reason.MESSAGE_TOO_LARGE);
    }

    private record Read(List<Contribution> shares, List<RejectedEvent> rejections) {
    }

    private List<Contribution> pages(String events) {
        return contribute("m", events).shares().stream().filter(share -> share.series().dataset().equals("pages")).toList();
    }

    private Read contribute(String id, String... events) {
        return contribute(datasets, Long.MAX_VALUE, id, events);
    }

    private static Read contribute(Datasets datasets, long maxHeapBytes, String id, String... events) {
        Message message = TestContributions.message(id, SENT, String.join("\n", events));
        ContributionBuilder builder = new Contributor(datasets, maxHeapBytes).start(new PendingMessage(message),
                MemoryBudget.UNLIMITED);
        DecodeResult decoded = ReadMessage.decoder(datasets).decode(message, builder, MemoryBudget.UNLIMITED);
        return new Read(builder.build().shares(), decoded.rejections());
    }

    private static String hit(String id, String page, String user, String ms) {
        return "{\"type\":\"hit\",\"id\":\"" + id + "\",\"time\":\"2026-11-20T10:00:00Z\",\"attributes\":{\"page\":\""
                + page + "\",\"user\":" + user + ",\"ms\":" + ms + "}}";
    }
}
