package dev.windrow.writer.aggregate;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.windrow.base.Reason;
import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.DatasetsYaml;
import dev.windrow.writer.decode.RejectedEvent;
import dev.windrow.writer.record.Change;
import dev.windrow.writer.record.ClaimUnit;
import dev.windrow.writer.testing.TestUnits;

class AggregationTest {

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

    private static final Datasets PARTITIONED = DatasetsYaml.parse("test", """
            windrow:
              datasets:
                pages:
                  event-type: hit
                  label: [user, page]
                  partition: 1
                  granularities: [hour, 720-minutes]
                  measures: {ms: {type: sum, attribute: ms}}
            """);

    private static final Datasets ROUNDED = DatasetsYaml.parse("test", """
            windrow:
              datasets:
                hits:
                  event-type: hit
                  label: []
                  granularities: [hour]
                  measures: {ms: {type: sum, attribute: ms, decimals: 2, required: true}}
            """);

    private static final Datasets CONDITIONAL = DatasetsYaml.parse("test", """
            windrow:
              datasets:
                requests:
                  event-type: hit
                  label: [page]
                  granularities: [hour]
                  where: {user: {exists: true}}
                  measures:
                    all: {type: count}
                    slow: {type: count, where: {ms: {from: 500}}}
                    timed: {type: count, attribute: ms}
                    slow-ms: {type: sum, attribute: ms, where: {ms: {from: 500}}}
                    slowest-p: {type: max, attribute: ms, where: {page: p}}
                strangers:
                  event-type: hit
                  label: []
                  granularities: [hour]
                  where: {user: {exists: false}, page: {prefix: s}}
                  measures: {all: {type: count}}
            """);

    @Test
    void measuresOnlyWhatMeetsItsConditions() {
        Read read = read(CONDITIONAL, Long.MAX_VALUE, "m", hit("1", "p", "\"u\"", "600"), hit("2", "p", "\"u\"", "\"499.5\""),
                hit("3", "p", "\"u\"", "null"), hit("4", "p", "\"u\"", "700").replace("{\"type", "{\"count\":-1,\"type"),
                hit("5", "q", "\"u\"", "1e3"));

        assertThat(read.rejections()).isEmpty();
        assertThat(added(read)).containsExactlyInAnyOrder(
                "default#requests#p#0 {all=2, slow=0, slow-ms=1300, slowest-p=600, timed=1}",
                "default#requests#q#0 {all=1, slow=1, slow-ms=1000, timed=1}");
    }

    @Test
    void aDatasetDoesNotLookAtEventsThatItsConditionsExclude() {
        Read read = read(CONDITIONAL, Long.MAX_VALUE, "m", hit("1", "s", "null", "[]"), hit("2", "x", "null", "[]"),
                hit("3", "", "null", "5").replace("\"page\":\"\"", "\"page\":null"), hit("4", "p", "\"u\"", "[]"));

        assertThat(added(read)).containsExactly("default#strangers#0 {all=1}");
        assertThat(read.ignored()).as("counted nowhere").isEqualTo(2);
        assertThat(read.rejections()).as("wrong for the one that counts it").extracting(RejectedEvent::index)
                .containsExactly(3);
    }

    private static List<String> added(Read read) {
        return read.units().stream().flatMap(unit -> unit.additions().stream())
                .map(addition -> addition.item().partitionKey() + " " + addition.changes().stream()
                        .collect(Collectors.toMap(Change::measure,
                                change -> change.value().value().stripTrailingZeros().toPlainString(), (one, other) -> one,
                                TreeMap::new)))
                .toList();
    }

    @Test
    void countsAllEventsInOneSeriesOfADatasetWithoutLabel() {
        Read read = read("m", hit("1", "p", "null", "5").replace("\"hit\"", "\"visit\""),
                hit("2", "q", "\"u\"", "5").replace("\"hit\"", "\"visit\""));

        assertThat(read.rejections()).isEmpty();
        assertThat(read.partitionKeys()).containsOnly("default#everything#0");
    }

    @Test
    void anUnknownTypeIsNamedWithThoseThatAreDeclared() {
        Read read = read("m", hit("1", "p", "\"u\"", "5").replace("\"hit\"", "\"" + "k".repeat(200) + "\""));

        assertThat(read.units()).isEmpty();
        assertThat(read.rejections()).singleElement().satisfies(rejection -> {
            assertThat(rejection.reason()).isEqualTo(Reason.UNKNOWN_EVENT_TYPE);
            assertThat(rejection.detail())
                    .isEqualTo("unknown event type '" + "k".repeat(100) + "'; declared: hit, visit");
        });
    }

    @Test
    void keepsLabelsApartThatShareAPartitionKey() {
        Read read = read(PARTITIONED, Long.MAX_VALUE, "m", hit("1", "p", "\"u\"", "1"), hit("2", "q", "\"u\"", "2"),
                hit("3", "p", "\"v\"", "4"), hit("4", "p", "\"u\"", "8"));

        assertThat(read.rejections()).isEmpty();
        assertThat(read.units()).singleElement().satisfies(unit -> assertThat(unit.additions())
                .extracting(addition -> addition.item().partitionKey() + " " + addition.item().sortKey() + " "
                        + addition.changes().get(0).value().value())
                .containsExactlyInAnyOrder("default#pages#u#0 hour#2026-11-20T10:00:00Z#p 9",
                        "default#pages#u#0 720-minutes#2026-11-20T00:00:00Z#p 9",
                        "default#pages#u#0 hour#2026-11-20T10:00:00Z#q 2",
                        "default#pages#u#0 720-minutes#2026-11-20T00:00:00Z#q 2",
                        "default#pages#v#0 hour#2026-11-20T10:00:00Z#p 4",
                        "default#pages#v#0 720-minutes#2026-11-20T00:00:00Z#p 4"));
    }

    @Test
    void rejectsWhatFollowsThePartitionIfNoSortKeyCanHoldItInEveryGranularity() {
        // given "720-minutes#", 20 of the start, "#", the rest of the label
        int longest = 1_024 - 12 - 20 - 1;
        Read read = read(PARTITIONED, Long.MAX_VALUE, "m", hit("1", "p".repeat(longest), "\"u\"", "5"),
                hit("2", "p".repeat(longest + 1), "\"u\"", "5"), hit("3", "\\udc00", "\"u\"", "5"));

        assertThat(read.rejections()).extracting(RejectedEvent::index).containsExactly(1, 2);
        assertThat(read.rejections()).extracting(RejectedEvent::reason).containsExactly(Reason.KEY_TOO_LONG,
                Reason.INVALID_TEXT);
    }

    @Test
    void choosesKeyShardAndClaimIdAlikeAtEachDelivery() {
        Read first = read("m", hit("1", "p", "\"u\"", "5"));
        Read second = read("m", hit("1", "p", "\"u\"", "5"));
        Read other = read("n", hit("1", "p", "\"u\"", "5"));
        assertThat(second.units()).extracting(ClaimUnit::id).isEqualTo(first.units().stream().map(ClaimUnit::id).toList());
        assertThat(second.partitionKeys()).isEqualTo(first.partitionKeys());
        assertThat(first.units().get(0).id().millis()).isEqualTo(SENT.toEpochMilli());
        assertThat(other.units().get(0).id()).isNotEqualTo(first.units().get(0).id());
        assertThat(other.units().get(1).id()).as("by the event's own id").isEqualTo(first.units().get(1).id());
    }

    @ParameterizedTest
    @CsvSource({ "999999999999999, true", "1000000000000000, false", "-999999999999999.99999999999999, true",
            "0.00000000000001, true", "0.000000000000001, true", "1e60, false", "9e125, false", "1e-130, true",
            "1.50000000000000000000, true", "0e-100, true", "1e14, true", "0.30000000000000004, true",
            "51.846000000000004, true", "'\"12.5\"', true", "'\"1e3\"', true", "999999999999999.999999999999999, false" })
    void takesNumbersOfWhichAnySumHasAForm(String number, boolean taken) {
        Read read = read("m", hit("1", "p", "\"u\"", number));
        assertThat(read.rejections()).extracting(RejectedEvent::reason)
                .isEqualTo(taken ? List.of() : List.of(Reason.NUMBER_OUT_OF_RANGE));
    }

    @ParameterizedTest
    @CsvSource({ "'{}', MISSING_FIELD, 'attributes.ms: expected a value: measure ms requires it'",
            "'{\"ms\":null}', MISSING_FIELD, 'attributes.ms: expected a value: measure ms requires it'",
            "'{\"ms\":\"1e-400\"}', NUMBER_OUT_OF_RANGE, 'attributes.ms: expected a number of at most 38 digits between 1E-130 and 9.99E+125'",
            "'{\"ms\":\"12,5\"}', WRONG_ATTRIBUTE_TYPE, 'attributes.ms: expected a number, or text that is one, found text'",
            "'{\"ms\":1e27}', NUMBER_OUT_OF_RANGE, 'attributes.ms: expected a number with at most 27 digits before the decimal "
                    + "point, the limit of a sum with decimals: 2; a lower value of decimals allows larger numbers'" })
    void saysWhatIsWrongWithANumber(String attributes, Reason reason, String explanation) {
        Read read = read(ROUNDED, Long.MAX_VALUE, "m",
                "{\"type\":\"hit\",\"time\":\"2026-11-20T10:00:00Z\",\"attributes\":" + attributes + "}");

        assertThat(read.rejections()).singleElement().satisfies(rejection -> {
            assertThat(rejection.reason()).isEqualTo(reason);
            assertThat(rejection.explanation()).isEqualTo(explanation);
        });
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
        assertThat(read(extremes, Long.MAX_VALUE, "m", hit("1", "p", "\"u\"", "9e125")).units()).hasSize(1);
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

        Read read = read(accepting, Long.MAX_VALUE, "m", events);

        assertThat(read.rejections()).extracting(RejectedEvent::index).containsExactly(1, 3);
        assertThat(read.rejections()).extracting(RejectedEvent::reason).containsOnly(Reason.TIME_NOT_ACCEPTED);
        assertThat(read.units()).singleElement().satisfies(unit -> assertThat(unit.additions())
                .hasSize(2).allSatisfy(addition -> assertThat(addition.changes().get(0).value().value())
                        .isEqualByComparingTo("2")));
    }

    @Test
    void sendsAMessageAwayWholeWhoseLabelsTakeTooMuchMemory() {
        String[] events = IntStream.range(0, 10_000).mapToObj(i -> hit("1", "p" + i, "\"u\"", "5")).toArray(String[]::new);
        Read read = read(datasets, 1 << 20, "m", events);
        assertThat(read.units()).isEmpty();
        assertThat(read.rejections()).extracting(RejectedEvent::reason).containsExactly(Reason.MESSAGE_TOO_LARGE);
        assertThat(read.events()).containsExactly(0, 0, 0);
    }

    /** Whoever chooses labels can choose them so that their hashes are equal. */
    @Test
    @Timeout(60)
    void labelsWithEqualHashesAreAggregated() {
        int count = 20_000;
        List<String> labels = IntStream.range(0, count).mapToObj(i -> IntStream.range(0, 15)
                .mapToObj(bit -> (i >> bit & 1) == 0 ? "Aa" : "BB").collect(Collectors.joining())).toList();
        assertThat(labels.stream().map(String::hashCode).distinct()).hasSize(1);
        String[] events = IntStream.range(0, 2 * count).mapToObj(i -> hit("1", labels.get(i % count), "\"u\"", "5"))
                .toArray(String[]::new);

        Read read = read(PARTITIONED, Long.MAX_VALUE, "m", events);

        assertThat(added(read)).hasSize(4 * count).allMatch(addition -> addition.endsWith("{ms=5}"));
    }

    @Test
    void eventsAreCountedInEachOfTheirDatasets() {
        String first = hit("1", "p", "\"u\"", "5");
        Read read = read("m", first, first, hit("2", "p", "\"u\"", "5"), hit("3", "p", "null", "5"),
                hit("4", "p", "null", "5").replace("\"hit\"", "\"visit\""));

        assertThat(read.events()).as("pages; users, by id; everything").containsExactly(3, 2, 1);
    }

    /** @param events numbers of events by dataset, in declared order */
    private record Read(List<ClaimUnit> units, List<RejectedEvent> rejections, int ignored, List<Integer> events) {

        List<String> partitionKeys() {
            return units.stream().flatMap(unit -> unit.additions().stream()).map(addition -> addition.item().partitionKey())
                    .toList();
        }
    }

    private Read read(String id, String... events) {
        return read(datasets, Long.MAX_VALUE, id, events);
    }

    private static Read read(Datasets datasets, long maxHeapBytes, String id, String... events) {
        TestUnits.Read read = TestUnits.read(datasets, maxHeapBytes, TestUnits.message(id, SENT, String.join("\n", events)));
        return new Read(read.units().build(), read.decoded().rejections(), read.decoded().ignored(),
                IntStream.range(0, datasets.all().size()).mapToObj(read.units()::events).toList());
    }

    private static String hit(String id, String page, String user, String ms) {
        return "{\"type\":\"hit\",\"id\":\"" + id + "\",\"time\":\"2026-11-20T10:00:00Z\",\"attributes\":{\"page\":\""
                + page + "\",\"user\":" + user + ",\"ms\":" + ms + "}}";
    }
}
