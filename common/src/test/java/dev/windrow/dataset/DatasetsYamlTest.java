package dev.windrow.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.windrow.scatter.Scatter;
import dev.windrow.scatter.ScatterStrategy;
import dev.windrow.scatter.WidthEpoch;
import dev.windrow.time.Granularity;
import dev.windrow.time.Retention;

class DatasetsYamlTest {

    private static final String CLICKS = """
            windrow:
              datasets:
                clicks:
                  event-type: click
                  label: [referrer]
                  granularities: [hour, minute, day]
                  index: [day, minute]
                  measures:
                    events: {type: count}
                    bytes: {type: sum, attribute: bytes}
                  scatter: [{width: 10}, {from: 2026-01-01T00:00:00Z, width: 100}]
            """;

    @Test
    void aDeclarationIsReadWhole() {
        Dataset clicks = DatasetsYaml.parse("test", CLICKS).named("clicks").orElseThrow();

        assertThat(clicks).isEqualTo(new Dataset("clicks", "click", List.of("referrer"),
                List.of(Granularity.MINUTE, Granularity.HOUR, Granularity.DAY), List.of(Granularity.MINUTE, Granularity.DAY),
                1, List.of(new Measure("events", MeasureKind.COUNT, null), new Measure("bytes", MeasureKind.SUM, "bytes")),
                new Scatter(ScatterStrategy.HASH,
                        List.of(new WidthEpoch(Instant.EPOCH, 10), new WidthEpoch(Instant.parse("2026-01-01T00:00:00Z"), 100))),
                Dedupe.MESSAGE));
        assertThat(clicks.isIndexed(Granularity.HOUR)).isFalse();
    }

    @Test
    void aRollUpMayHaveNoLabelAndATimeFromWhichItIsComplete() {
        Dataset all = DatasetsYaml.parse("test", CLICKS.replace("label: [referrer]",
                "label: []\n      complete-since: 2026-11-22T10:00:00Z")).named("clicks").orElseThrow();

        assertThat(all.label()).isEmpty();
        assertThat(all.completeSince()).isEqualTo("2026-11-22T10:00:00Z");
    }

    @Test
    void thePartitionIsThatOfTheWholeLabelUnlessItIsSmaller() {
        Dataset whole = DatasetsYaml.parse("test", CLICKS.replace("[referrer]", "[referrer, url]")).named("clicks")
                .orElseThrow();
        Dataset first = DatasetsYaml.parse("test", CLICKS.replace("[referrer]", "[referrer, url]\n      partition: 1"))
                .named("clicks").orElseThrow();

        assertThat(whole.partition()).isEqualTo(2);
        assertThat(whole.isWholeLabelPartition()).isTrue();
        assertThat(first.partition()).isEqualTo(1);
        assertThat(first.isWholeLabelPartition()).isFalse();
    }

    @Test
    void aRankIsOfAllIndexedGranularitiesAndNotSpreadUnlessDeclaredOtherwise() {
        String ranked = CLICKS.replace("label: [referrer]", "label: [host, page]\n      rank: [{by: events}, {by: bytes, "
                + "within: [host], width: 4, granularities: [day]}]");

        assertThat(DatasetsYaml.parse("test", ranked).named("clicks").orElseThrow().ranks()).containsExactly(
                new Rank("events", List.of(), 1, List.of(Granularity.MINUTE, Granularity.DAY)),
                new Rank("bytes", List.of("host"), 4, List.of(Granularity.DAY)));
        assertThat(DatasetsYaml.parse("test", ranked).rankedMeasures()).containsExactly("bytes", "events");
    }

    @Test
    void whatIsLeftOutHasADefault() {
        Datasets datasets = DatasetsYaml.parse("test", """
                windrow:
                  datasets:
                    votes:
                      event-type: vote
                      label: [candidate]
                      granularities: [forever]
                      key-shards: 10
                      measures:
                        votes: {type: count}
                """);

        Dataset votes = datasets.named("votes").orElseThrow();
        assertThat(votes.index()).isEmpty();
        assertThat(votes.keyShards()).isEqualTo(10);
        assertThat(votes.scatter()).isEqualTo(Scatter.hash(10));
        assertThat(datasets.ofEventType("vote")).containsExactly(votes);
        assertThat(datasets.ofEventType("click")).isEmpty();
    }

    @Test
    void acceptedTimesAreReadAsDurations() {
        String yaml = CLICKS.replace("label:", "accept: {past: 30d, future: PT1H30M}\n      label:");
        assertThat(DatasetsYaml.parse("test", yaml).named("clicks").orElseThrow().accept())
                .isEqualTo(new EventTimeBounds(Duration.ofDays(30), Duration.ofMinutes(90)));
        assertThat(DatasetsYaml.parse("test", CLICKS).named("clicks").orElseThrow().accept()).isSameAs(EventTimeBounds.ANY);
        String future = CLICKS.replace("label:", "accept: {future: 0s}\n      label:");
        assertThat(DatasetsYaml.parse("test", future).named("clicks").orElseThrow().accept())
                .isEqualTo(new EventTimeBounds(null, Duration.ZERO));
    }

    @Test
    void bucketsAreKeptForEverUnlessDeclaredOtherwise() {
        String yaml = CLICKS.replace("label:", "retention: {minute: 2d, hour: P400D}\n      label:");
        Retention retention = DatasetsYaml.parse("test", yaml).named("clicks").orElseThrow().retention();
        Instant midnight = Instant.parse("2026-11-20T00:00:00Z");

        assertThat(retention.kept()).containsOnly(entry(Granularity.MINUTE, Duration.ofDays(2)),
                entry(Granularity.HOUR, Duration.ofDays(400)));
        assertThat(retention.deletion(Granularity.MINUTE, midnight)).isEqualTo("2026-11-23T00:01:00Z");
        assertThat(retention.deletion(Granularity.DAY, midnight)).isNull();
        assertThat(retention.isOver(Granularity.MINUTE, midnight, Instant.parse("2026-11-22T00:00:59Z"))).isFalse();
        assertThat(retention.isOver(Granularity.MINUTE, midnight, Instant.parse("2026-11-22T00:01:00Z"))).isTrue();
        assertThat(retention.isOver(Granularity.DAY, midnight, Instant.MAX)).isFalse();
        assertThat(DatasetsYaml.parse("test", CLICKS).named("clicks").orElseThrow().retention())
                .isEqualTo(Retention.FOREVER);
    }

    @Test
    void typesToIgnoreAreNamedOrAllThatNoDatasetHas() {
        Datasets none = DatasetsYaml.parse("test", CLICKS);
        Datasets some = DatasetsYaml.parse("test", CLICKS + "  ignore-types: [heartbeat]\n");
        Datasets all = DatasetsYaml.parse("test", CLICKS + "  ignore-types: ['*']\n");
        assertThat(none.ignores("heartbeat")).isFalse();
        assertThat(some.ignores("heartbeat")).isTrue();
        assertThat(some.ignores("klick")).isFalse();
        assertThat(all.ignores("klick")).isTrue();
        assertThat(all.ignores("click")).isFalse();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "event-type: click              | event-type: ''           | windrow.datasets.clicks.event-type: expected an event type, found ''",
            "event-type: click              | event-tpye: click        | windrow.datasets.clicks.event-tpye: unknown field: the known ones are accept, complete-since, dedupe, description, event-type",
            "event-type: click              | event-tpye: click        | windrow.datasets.clicks.event-type: expected an event type, found nothing",
            "label: [referrer]              | dedupe: message          | windrow.datasets.clicks.label: expected a list, found nothing",
            "label: [referrer]              | complete-since: yesterday | windrow.datasets.clicks.complete-since: expected an RFC 3339 time with a zone",
            "label: [referrer]              | label: referrer          | windrow.datasets.clicks.label: expected a list, found 'referrer'",
            "label: [referrer]              | label: [a, b]\\n      partition: 2 | windrow.datasets.clicks.partition: expected a whole number from 1 to 1, found '2'",
            "label: [referrer]              | label: [a, b]\\n      partition: 0 | windrow.datasets.clicks.partition: expected a whole number from 1 to 1, found '0'",
            "label: [referrer]              | label: [a]\\n      partition: 1 | windrow.datasets.clicks.partition: needs a label of at least two attributes",
            "label: [referrer]              | label: [a, a]            | windrow.datasets.clicks.label[1]: 'a' is listed twice",
            "granularities: [hour           | granularities: [hours    | windrow.datasets.clicks.granularities[0]: expected one of second, minute, N-minutes",
            "index: [day                    | index: [week             | windrow.datasets.clicks.index: week is not one of the dataset's granularities",
            "events: {type: count}          | events: {type: avg}      | windrow.datasets.clicks.measures.events.type: expected one of count, sum, min, max, first, last, ratio, found 'avg'",
            "{type: count}                  | {type: count, unit: km} | windrow.datasets.clicks.measures.events.unit: expected bytes, seconds, percent or the code of a currency such as EUR, found 'km'",
            "{type: count}                  | {type: count, title: ' '} | windrow.datasets.clicks.measures.events.title: expected a text of 1 to 100 characters",
            "label: [referrer]              | label: [a]\\n      unit: bytes | windrow.datasets.clicks.unit: unknown field: the known ones are",
            "{type: count}                  | {type: ratio, of: bytes} | windrow.datasets.clicks.measures.events.to: expected one of the stored measures except first and last (bytes), found nothing",
            "{type: count}                  | {type: ratio, of: bytes, to: events} | windrow.datasets.clicks.measures.events.to: expected one of the stored measures except first and last (bytes), found 'events'",
            "{type: count}                  | {type: ratio, of: bytes, to: bytes, floor: 0} | windrow.datasets.clicks.measures.events.floor: unknown field: the known ones are description, of, title, to, type, unit",
            "sum, attribute: bytes          | last, attribute: bytes}\\n        r: {type: ratio, of: events, to: bytes | windrow.datasets.clicks.measures.r.to: expected one of the stored measures except first and last (events), found 'bytes'",
            "sum, attribute: bytes          | ratio, of: events, to: events}\\n      rank: [{by: bytes}]\\n      x: {a: b | windrow.datasets.clicks.rank[0].by: expected one of the measures events, found 'bytes'",
            "events: {type: count}          | Events: {type: count}    | windrow.datasets.clicks.measures.Events: expected a name of 1 to 63",
            "sum, attribute: bytes          | sum                      | windrow.datasets.clicks.measures.bytes.attribute: expected the name of an event attribute, found nothing",
            "{type: count}                  | {type: count, floor: 1} | windrow.datasets.clicks.measures.events.floor: expected a whole number from 0 to 0, found '1'",
            "{type: count}                  | {type: count, decimals: 2} | windrow.datasets.clicks.measures.events.decimals: applies only to sum",
            "sum, attribute: bytes          | sum, attribute: bytes, decimals: 15 | windrow.datasets.clicks.measures.bytes.decimals: expected a whole number from 0 to 14, found '15'",
            "{type: count}                  | {type: count, required: true} | windrow.datasets.clicks.measures.events.required: applies only to a measure with an attribute",
            "sum, attribute: bytes          | sum, attribute: bytes, required: 1 | windrow.datasets.clicks.measures.bytes.required: expected true or false, found '1'",
            "sum, attribute: bytes          | sum, attribute: bytes, required: yes | windrow.datasets.clicks.measures.bytes.required: expected true or false, found yes",
            "events: {type: count}          | events: {type: max, attribute: a, floor: 0} | windrow.datasets.clicks.measures.events.floor: applies only to count and sum",
            "[{width: 10}                   | [{width: 0}              | windrow.datasets.clicks.scatter[0].width: expected a whole number from 1 to 1000, found '0'",
            "[{width: 10}                   | [{}                      | windrow.datasets.clicks.scatter[0].width: expected a whole number from 1 to 1000, found nothing",
            "[{width: 10}                   | [{from: 2027-01-01T00:00:00Z, width: 10} | windrow.datasets.clicks.scatter[1].from: must be later than in the epoch before",
            "2026-01-01T00:00:00Z           | 2026-01-01               | windrow.datasets.clicks.scatter[1].from: expected an RFC 3339 time with a zone",
            "label: [referrer]              | key-shards: many         | windrow.datasets.clicks.key-shards: expected a whole number from 1 to 1000, found 'many'",
            "label: [referrer]              | label: [a, b]\\n      rank: [{by: hits}] | windrow.datasets.clicks.rank[0].by: expected one of the measures events, bytes, found 'hits'",
            "label: [referrer]              | label: [a, b]\\n      rank: [{by: events, within: [b]}] | windrow.datasets.clicks.rank[0].within: expected the first attributes of the label (a, b), in their order and not all of them, found [b]",
            "label: [referrer]              | label: [a]\\n      rank: [{by: events, within: [a]}] | windrow.datasets.clicks.rank[0].within: expected the first attributes of the label (a)",
            "label: [referrer]              | label: []\\n      rank: [{by: events}] | windrow.datasets.clicks.rank[0].within: expected the first attributes of the label ()",
            "label: [referrer]              | label: [a, b]\\n      rank: [{by: events, width: 101}] | windrow.datasets.clicks.rank[0].width: expected a whole number from 1 to 100, found '101'",
            "label: [referrer]              | label: [a, b]\\n      rank: [{by: events}, {by: events}] | windrow.datasets.clicks.rank[1].by: measure 'events' already has a rank",
            "label: [referrer]              | label: [a, b]\\n      rank: [{by: events, granularities: [hour]}] | windrow.datasets.clicks.rank[0].granularities[0]: expected one of the indexed granularities",
            "label: [referrer]              | label: [a, b]\\n      key-shards: 2\\n      rank: [{by: events}] | windrow.datasets.clicks.rank: needs key-shards: 1",
            "index: [day, minute]           | rank: [{by: events}]     | windrow.datasets.clicks.rank: needs an index",
            "label: [referrer]              | accept: {past: 1 day}    | windrow.datasets.clicks.accept.past: expected a duration such as 30d, 12h, 90m, 15s or PT1H30M, found '1 day'",
            "label: [referrer]              | accept: {future: -PT1S}  | windrow.datasets.clicks.accept.future: expected a duration such as 30d",
            "label: [referrer]              | accept: {next: 1d}       | windrow.datasets.clicks.accept.next: unknown field: the known ones are future, past",
            "label: [referrer]              | retention: {minute: 47h} | windrow.datasets.clicks.retention.minute: expected a duration such as 30d, 12h, 90m, 15s or PT1H30M, of at least 2d, found '47h'",
            "[hour, minute, day]            | [minute, day, month]\\n      retention: {minute: 2d, day: 2d, month: 30d} | windrow.datasets.clicks.retention.month: expected a duration such as 30d, 12h, 90m, 15s or PT1H30M, of at least 31d, found '30d'",
            "label: [referrer]              | retention: {second: 2d} | windrow.datasets.clicks.retention.second: must name a granularity of the dataset whose buckets end (minute, hour, day)",
            "granularities: [hour, minute, day] | granularities: [hour, minute, day, forever]\\n      retention: {minute: 2d, hour: 2d, day: 2d, forever: 2d} | windrow.datasets.clicks.retention.forever: must name a granularity of the dataset whose buckets end",
            "label: [referrer]              | retention: {minute: 30d, hour: 29d} | windrow.datasets.clicks.retention.hour: must be at least as long as for the finer granularity minute, which is kept 30d",
            "label: [referrer]              | retention: {hour: 30d} | windrow.datasets.clicks.retention.hour: must be at least as long as for the finer granularity minute, which is kept for ever",
            "label: [referrer]              | retention: {} | windrow.datasets.clicks.retention: expected at least one named entry",
            "label: [referrer]              | retention: 30d | windrow.datasets.clicks.retention: expected at least one named entry, found '30d'",
            "datasets:                      | ignore-types: x\\n  datasets: | windrow.ignore-types: expected a list, found 'x'",
            "datasets:                      | ignore-types: [click]\\n  datasets: | windrow.ignore-types[0]: a dataset counts type 'click', so it cannot be ignored as well",
            "windrow:                       | windro:                  | windro: unknown field: the known ones are windrow",
            "datasets:                      | data-sets:               | windrow.datasets: expected at least one named entry, found nothing",
            "event-type: click              | event-type: [            | not valid YAML, at line" })
    void aWrongFieldIsNamedWithWhatWasExpected(String right, String wrong, String problem) {
        assertThat(CLICKS).contains(right);
        assertThatThrownBy(() -> DatasetsYaml.parse("datasets.yaml", CLICKS.replace(right, wrong.replace("\\n", "\n"))))
                .isInstanceOf(InvalidDatasetsException.class).hasMessageStartingWith("datasets.yaml: invalid-datasets:")
                .hasMessageContaining(problem);
    }

    @Test
    void allProblemsAreReportedTogether() {
        String text = CLICKS.replace("event-type: click", "event-type: ''").replace("width: 10}", "width: -1}");

        assertThatThrownBy(() -> DatasetsYaml.parse("test", text)).isInstanceOf(InvalidDatasetsException.class)
                .message().hasLineCount(3);
    }

    /** What is too short is no longer compared with others. */
    @Test
    void aRetentionThatIsTooShortIsOneProblem() {
        String text = CLICKS.replace("label:", "retention: {minute: 47h, hour: 30d}\n      label:");

        assertThatThrownBy(() -> DatasetsYaml.parse("test", text)).isInstanceOf(InvalidDatasetsException.class)
                .message().hasLineCount(2).contains("retention.minute");
    }

    @Test
    void aDatasetDeclaredTwiceIsAnError() {
        String twice = CLICKS + CLICKS.lines().skip(2).reduce("", (a, b) -> a + b + "\n");

        assertThatThrownBy(() -> DatasetsYaml.parse("test", twice)).isInstanceOf(InvalidDatasetsException.class)
                .hasMessageContaining("Duplicate");
    }

    @Test
    void aMissingFileIsAnErrorThatNamesIt() {
        assertThatThrownBy(() -> DatasetsYaml.read(Path.of("no-such-datasets.yaml")))
                .isInstanceOf(InvalidDatasetsException.class).hasMessageStartingWith("no-such-datasets.yaml: ");
    }

    @ParameterizedTest
    @ValueSource(strings = { "y", "n", "yes", "No", "ON", "off", "true", "False" })
    void aNameThatYamlTakesForABooleanIsRefusedUnlessItIsQuoted(String word) {
        String inLabel = CLICKS.replace("[referrer]", "[url, %s]");
        String inType = CLICKS.replace("event-type: click", "event-type: %s");
        String inAttribute = CLICKS.replace("attribute: bytes", "attribute: %s");

        assertThatThrownBy(() -> DatasetsYaml.parse("test", inLabel.formatted(word)))
                .hasMessageContaining("windrow.datasets.clicks.label[1]: expected text, found " + word)
                .hasMessageContaining("quote the name, as in \"" + word + "\"");
        assertThatThrownBy(() -> DatasetsYaml.parse("test", inType.formatted(word)))
                .hasMessageContaining("windrow.datasets.clicks.event-type: expected text");
        assertThatThrownBy(() -> DatasetsYaml.parse("test", inAttribute.formatted(word)))
                .hasMessageContaining("windrow.datasets.clicks.measures.bytes.attribute: expected text");

        Dataset quoted = DatasetsYaml.parse("test", inLabel.formatted("'" + word + "'")).all().get(0);
        assertThat(quoted.label()).containsExactly("url", word);
    }

    @Test
    void namesOfDatasetsAndMeasuresAreNoBooleansEither() {
        assertThatThrownBy(() -> DatasetsYaml.parse("test", CLICKS.replace("clicks:", "on:").replace("events:", "n:")))
                .hasMessageContaining("windrow.datasets.on: expected text, found on")
                .hasMessageContaining("windrow.datasets.on.measures.n: expected text, found n");

        assertThat(DatasetsYaml.parse("test", CLICKS.replace("events:", "\"n\":")).all().get(0).measures())
                .extracting(Measure::name).containsExactly("n", "bytes");
    }

    @ParameterizedTest
    @ValueSource(strings = { "1.10", "1e3", ".5", "-0", "010", "08", "0x10", "0o7", "0b11", "1_000" })
    void aNameThatWouldBeRespelledAsANumberIsRefusedUnlessItIsQuoted(String word) {
        String inLabel = CLICKS.replace("[referrer]", "[url, %s]");
        String inType = CLICKS.replace("event-type: click", "event-type: %s");

        assertThatThrownBy(() -> DatasetsYaml.parse("test", inLabel.formatted(word)))
                .hasMessageContaining("windrow.datasets.clicks.label[1]: expected text, found " + word
                        + ", which YAML takes for a number: quote the name");
        assertThatThrownBy(() -> DatasetsYaml.parse("test", inType.formatted(word)))
                .hasMessageContaining("windrow.datasets.clicks.event-type: expected text");

        Dataset quoted = DatasetsYaml.parse("test", inLabel.formatted("'" + word + "'")).all().get(0);
        assertThat(quoted.label()).containsExactly("url", word);
    }

    @ParameterizedTest
    @ValueSource(strings = { "404", "0", "-1", "1.2.3", "v1.10", "2026-01-01", "10s", "0xg", "1e" })
    void aNameThatEveryReaderSpellsAlikeNeedsNoQuotes(String word) {
        Datasets datasets = DatasetsYaml.parse("test", CLICKS.replace("event-type: click", "event-type: " + word));

        assertThat(datasets.ofEventType(word)).hasSize(1);
    }

    @Test
    void aSumMayHaveDecimalsAndBeRequired() {
        Dataset clicks = DatasetsYaml.parse("test", CLICKS.replace("sum, attribute: bytes",
                "sum, attribute: bytes, decimals: 2, required: true")).all().get(0);

        assertThat(clicks.measures()).contains(new Measure("bytes", MeasureKind.SUM, "bytes", false, 2, true, new TreeMap<>()));
        assertThat(DatasetShape.of(clicks, List.of()).fields().get("measures"))
                .isEqualTo("bytes#sum#bytes#decimals:2#required events#count");
    }

    @ParameterizedTest
    @CsvSource({ "required: yes, expected true or false; found yes", "required: True, expected true or false; found True",
            "where: {a: {exists: on}}, expected true or false; found on",
            "where: {a: yes}, expected text; found yes; which YAML takes for a boolean: write true or false; or quote the text" })
    void aBooleanOfAnotherSpellingSaysWhatToWrite(String declared, String problem) {
        String text = CLICKS.replace("attribute: bytes", "attribute: bytes, " + declared);

        assertThatThrownBy(() -> DatasetsYaml.parse("test", text)).hasMessageContaining(": " + problem.replace(';', ','));
    }

    @Test
    void anAliasIsRefusedWhereverItIs() {
        String inType = CLICKS.replace("clicks:", "views:\n      event-type: &type view\n    clicks:")
                .replace("event-type: click", "event-type: *type");
        String ofMeasures = CLICKS.replace("events: {type: count}", "events: &count {type: count}\n        all: *count");

        assertThatThrownBy(() -> DatasetsYaml.parse("test", inType))
                .hasMessageContaining("windrow.datasets.clicks.event-type: aliases are not supported");
        assertThatThrownBy(() -> DatasetsYaml.parse("test", ofMeasures))
                .hasMessageContaining("windrow.datasets.clicks.measures.all: aliases are not supported");
        assertThatThrownBy(() -> DatasetsYaml.parse("test", CLICKS.replace("event-type: click", "event-type: *click")))
                .isInstanceOf(InvalidDatasetsException.class)
                .hasMessageContaining("the file: expected one YAML document without aliases: found undefined alias click");
    }

    @Test
    void anAnchorWithoutAnAliasMeansNothing() {
        assertThat(DatasetsYaml.parse("test", CLICKS.replace("event-type: click", "event-type: &type click")).all())
                .isEqualTo(DatasetsYaml.parse("test", CLICKS).all());
    }
}
