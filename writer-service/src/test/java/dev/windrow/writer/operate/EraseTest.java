package dev.windrow.writer.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.windrow.base.InvalidInputException;
import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.DatasetsYaml;
import dev.windrow.local.fault.DynamoDbFaults;
import dev.windrow.local.fault.FaultPlan;
import dev.windrow.table.BucketKey;
import dev.windrow.table.Label;
import dev.windrow.table.Lane;
import dev.windrow.table.LaneCodec;
import dev.windrow.table.Parking;
import dev.windrow.table.SeriesKey;
import dev.windrow.table.TableSchema;
import dev.windrow.testing.GeneratedCases;
import dev.windrow.testing.Seeds;
import dev.windrow.time.Granularity;
import dev.windrow.writer.table.JournalItems;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

class EraseTest extends SweptTable {

    private static final Datasets DATASETS = DatasetsYaml.parse("test", """
            windrow:
              datasets:
                clicks:
                  event-type: click
                  label: [page]
                  granularities: [minute, day]
                  measures: {clicks: {type: count}}
                views:
                  event-type: view
                  label: [user, page]
                  partition: 1
                  key-shards: 3
                  granularities: [minute, day]
                  measures: {views: {type: count}}
                visits:
                  event-type: visit
                  label: [country, user, device]
                  partition: 2
                  granularities: [minute, day]
                  measures: {visits: {type: count}}
                all:
                  label: []
                  event-type: view
                  granularities: [minute, day]
                  measures: {views: {type: count}}
            """);
    private static final List<String> HOSTILE = List.of("42", "4", "421", "", " ", "#", "##", "#0", "$", "$S", "$P", "a b",
            "Zürich", "\uD83D\uDE00", "~lane#0", "default#clicks#42#0", "minute#2026-11-20T10:00:00Z", "a\nb", "%", "\uFFFD",
            "x".repeat(400));
    private static final List<String> TENANTS = List.of("default", "default2", "acme");
    private static final Instant START = Instant.parse("2026-11-20T10:00:00Z");

    @BeforeEach
    void registerDatasets() {
        register(DATASETS);
    }

    @Test
    void aValueThatIsAWholePartitionKeyIsQueriedInAllKeyShards() {
        // Given
        putAll("views", "42", "/a");
        putAll("views", "42", "/b");
        putAll("views", "43", "/a");

        // When
        String done = erase("dataset=views", "attribute=user", "value=42").run();

        // Then
        assertThat(done).isEqualTo("deleted of tenant default: 12 items of dataset views");
        assertThat(labels()).containsExactly("views [43, /a]");
        assertThat(requests("Scan")).isZero();
        assertThat(requests("UpdateItem")).isZero();
    }

    @Test
    void itemsInFormerKeyShardsAreErased() {
        // Given a dataset that had more key shards than now
        put("default", "views", Granularity.DAY, 5, "42", "/a");
        put("default", "views", Granularity.DAY, 999, "42", "/a");
        put("default", "views", Granularity.DAY, 5, "43", "/a");

        // When
        String done = erase("dataset=views", "attribute=user", "value=42").run();

        // Then
        assertThat(done).isEqualTo("deleted of tenant default: 2 items of dataset views");
        assertThat(labels()).containsExactly("views [43, /a]");
    }

    /** The keys do not tell which values would be in those of a former partition, so they cannot be queried. */
    @Test
    void itemsOfAFormerPartitionAreErasedByAScan() {
        // Given
        SeriesKey former = new SeriesKey("default", "views", Label.of("42", "/a"), 0);
        items.put(List.of(JournalItems.key(former.partitionKey(), new BucketKey(former, Granularity.DAY, START).sortKey())));
        putAll("views", "42", "/b");

        // When
        String done = erase("attribute=user", "value=42", "dataset=views", "scan=true").run();

        // Then
        assertThat(done).isEqualTo("deleted of tenant default: 7 items of dataset views");
        assertThat(items.buckets()).isEmpty();
    }

    @Test
    void aTenantGoesAsAWholeAndNoOther() {
        // Given
        TENANTS.forEach(tenant -> put(tenant, "views", Granularity.MINUTE, 0, "42", "/a"));
        TENANTS.forEach(tenant -> put(tenant, "removed-since", Granularity.DAY, 0, "x"));

        // When
        String done = erase("tenant=default").run();

        // Then
        assertThat(done).isEqualTo("deleted of tenant default: 1 item of dataset removed-since, 1 item of dataset views");
        assertThat(items.buckets()).hasSize(4);
        assertThat(items.all()).hasSize(6);
    }

    /** By any way to select, exactly the labels that plain lists of values say, and nothing of the journal. */
    @Test
    void anyTextIsErasedAndNothingBesides() {
        RandomGenerator random = Seeds.random("erase");
        lane(3, 7, 7);
        journal("~record#3#7", "0");
        journal("~slot#m#1#0", "/");
        for (int i = 0; i < GeneratedCases.count("windrow.erase.cases", 5, 20); i++) {
            // Given
            items.replaceBuckets(List.of());
            Set<List<String>> all = new HashSet<>();
            Set<Map<String, AttributeValue>> buckets = new HashSet<>();
            for (int label = 0; label < 25; label++) {
                Dataset dataset = DATASETS.all().get(random.nextInt(DATASETS.all().size()));
                String[] values = dataset.label().stream().map(attribute -> any(HOSTILE, random)).toArray(String[]::new);
                String tenant = any(TENANTS, random);
                buckets.add(bucket(tenant, dataset.name(), random.nextBoolean() ? Granularity.MINUTE : Granularity.DAY,
                        random.nextInt(dataset.keyShards()), values));
                all.add(flat(tenant, dataset.name(), List.of(values)));
            }
            items.put(buckets);
            List<String> some = any(List.copyOf(all), random);
            Dataset dataset = DATASETS.named(some.get(1)).orElseThrow();
            List<String> words = new ArrayList<>(List.of("tenant=" + some.get(0)));
            Predicate<List<String>> erased = label -> label.get(0).equals(some.get(0));
            if (!dataset.label().isEmpty() && random.nextBoolean()) {
                int place = random.nextInt(dataset.label().size());
                String attribute = dataset.label().get(place);
                String value = some.get(2 + place);
                words.addAll(List.of("attribute=" + attribute, "value=" + value));
                erased = erased.and(label -> {
                    int at = DATASETS.named(label.get(1)).orElseThrow().label().indexOf(attribute);
                    return at >= 0 && label.get(2 + at).equals(value);
                });
            } else if (!dataset.label().isEmpty()) {
                List<String> first = some.subList(2, 3 + random.nextInt(dataset.label().size()));
                words.add("dataset=" + dataset.name());
                first.forEach(value -> words.add("label=" + value));
                erased = erased.and(label -> label.get(1).equals(dataset.name())
                        && label.subList(2, 2 + first.size()).equals(first));
            }

            // When
            erase(words.toArray(String[]::new)).run();

            // Then
            assertThat(flatLabels()).as("after %s", words).isEqualTo(all.stream().filter(erased.negate())
                    .collect(Collectors.toSet()));
            assertThat(items.all()).extracting(item -> item.get(TableSchema.PK).s())
                    .contains("~lane#3", "~record#3#7", "~slot#m#1#0");
        }
    }

    @Test
    void itemsThatNoLabelCanBeReadFromAreLeftAloneAndCounted() {
        // Given
        putAll("views", "42", "/a");
        put("default", "views", Granularity.DAY, 0, "42", "/a", "more");
        journal("default#views#42#0", "odd");
        journal("default", "odd");

        // When
        String done = erase("attribute=user", "value=42").run();

        // Then
        assertThat(done).startsWith("deleted of tenant default: 6 items of dataset views")
                .endsWith("left alone, as the table does not say what their labels consist of: 2 items of dataset views");
    }

    @Test
    void aDryRunCountsAndWritesNothing() {
        // Given
        putAll("views", "42", "/a");
        lane(0, 7, 3);
        List<Map<String, AttributeValue>> before = items.all();

        // When
        String done = erase("attribute=user", "value=42", "dry-run=true").run();

        // Then
        assertThat(done.lines()).containsExactly("would be deleted of tenant default: 6 items of dataset views",
                "writers are still applying claims, so the command may delete more: lane 0 (held by somebody) is applied up to position 3 of 7");
        assertThat(items.all()).isEqualTo(before);
        assertThat(requests("DeleteItem") + requests("UpdateItem")).isZero();
    }

    @Test
    void nothingIsFoundInATableWithoutIt() {
        assertThat(erase("attribute=user", "value=42").run()).isEqualTo("deleted of tenant default: nothing");
        assertThat(erase("tenant=nobody").run()).isEqualTo("deleted of tenant nobody: nothing");
    }

    // lanes

    @Test
    void itWaitsForALaneAndDeletesWhatThisHasApplied() {
        // Given a lane that applies in the third pause
        lane(0, 9, 9);
        lane(5, 40, 17);
        time.during(pause -> {
            if (time.pauses().size() == 3) {
                putAll("views", "42", "/a");
                lane(5, 60, 60);
            }
        });

        // When
        String done = erase("attribute=user", "value=42").run();

        // Then
        assertThat(done).contains("6 items of dataset views");
        assertThat(labels()).isEmpty();
    }

    @Test
    void aLaneThatIsHeldBackMakesItFailWithItsNumber() {
        // Given
        putAll("views", "42", "/a");
        lane(0, 9, 9);
        lane(63, 40, 17);

        // Then
        assertThatThrownBy(() -> erase("attribute=user", "value=42", "wait=61s").run())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("lane 63 (held by somebody) is applied up to position 17 of 40, after 61s")
                .hasMessageNotContaining("lane 0");
        assertThat(time.passed()).isEqualTo(Duration.ofSeconds(61));
        assertThat(items.buckets()).hasSize(6);
    }

    static Stream<Arguments> behind() {
        String parked = LaneCodec.encode(List.of(Parking.of(1, 3, 7, true, false)));
        return Stream.of(
                // A later record has what buckets lack of earlier ones.
                arguments(50, 45, Map.of(LaneCodec.DEFERRED, number(50)),
                        " (held by somebody) has put off additions that items have not taken"),
                arguments(40, 40, Map.of(TableSchema.LANE_PARKINGS, AttributeValue.fromS(parked)),
                        " (held by somebody) has additions to send to the dead-letter queue"),
                arguments(40, 41, Map.of(),
                        " cannot be read (expected records that are applied up to a position from 0 to 40"));
    }

    @ParameterizedTest
    @MethodSource("behind")
    void whatALaneHasNotWrittenIsWaitedFor(long position, long applied, Map<String, AttributeValue> more, String behind) {
        lane(2, 40, 38);
        time.during(pause -> lane(2, position, applied, more));

        assertThatThrownBy(() -> erase("attribute=user", "value=42", "wait=20s").run()).hasMessageContaining("lane 2" + behind);
    }

    @Test
    void itGoesOnUntilNothingIsFoundAndNotForEver() {
        // Given somebody who writes in the pauses of the first passes
        AtomicInteger writes = new AtomicInteger(3);
        time.during(pause -> {
            if (writes.getAndDecrement() > 0) {
                put("default", "views", Granularity.DAY, 0, "42", "/a");
            }
        });

        // Then
        assertThat(erase("attribute=user", "value=42").run()).contains("3 items of dataset views");
        assertThat(labels()).isEmpty();

        // And if it never ends
        writes.set(Integer.MAX_VALUE);
        assertThatThrownBy(() -> erase("attribute=user", "value=42").run())
                .hasMessageContaining("each of 20 passes found more");
    }

    // stopped and continued

    @Test
    void stoppedItGoesOnAndLooksAtEverythingOnceMore() {
        // Given more than a page, and a command that cannot delete after its first one
        items.put(IntStream.range(0, 400).boxed().flatMap(i -> Stream.of(
                bucket("default", "views", Granularity.DAY, 0, "42", "/" + i),
                bucket("default", "views", Granularity.DAY, 0, "u" + i, "/"),
                bucket("default", "visits", Granularity.DAY, 0, "de", "42", "/" + i))).toList());
        for (int stop = 1; stop <= 2; stop++) {
            failScansAfterTheFirst(DynamoDbFaults.accessDenied());
            assertThatThrownBy(() -> erase("attribute=user", "value=42", "wait=1m").run())
                    .hasMessageContaining("not authorized");
            // An item that comes where it has looked already.
            put("default", "views", Granularity.MINUTE, 0, "42", "/late" + stop);
        }
        Set<String> progress = items.all().stream().filter(item -> item.get(TableSchema.SK).s().equals("erase"))
                .map(item -> item.get("ranks").s()).collect(Collectors.toSet());
        assertThat(progress).hasSize(1).noneMatch(text -> text.contains("42#"));

        // When
        proxy.use(FaultPlan.none());
        erase("attribute=user", "value=42").run();

        // Then
        assertThat(labels()).hasSize(400).noneMatch(label -> label.startsWith("views [42"));
        assertThat(flatLabels()).noneMatch(label -> label.get(1).equals("visits"));
    }

    // arguments

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', value = {
            "\"\"                                | say what to erase: attribute=… value=…, or dataset=… label=…, or tenant=…",
            "wait=1m                             | say what to erase",
            "user=42                             | expected name=value, the name one of [attribute, value, dataset, label",
            "tenant                              | expected name=value",
            "attribute=user                      | value: missing; give the value of attribute 'user' to erase",
            "value=42                            | attribute: missing; name the attribute that has the value",
            "attribute=user;value=1;value=2      | value: given twice",
            "attribute=user;value=1;label=1      | attribute and label exclude each other",
            "label=1                             | dataset: missing; name the dataset of the label",
            "dataset=clicks                      | label: missing; give label=… once for each of the label's first values in",
            "tenant=acme;dataset=clicks          | label: missing; give label=…",
            "tenant=                             | tenant: expected 1 to 64 letters",
            "tenant=a#b                          | tenant: expected 1 to 64 letters",
            "tenant=~lane                        | tenant: expected 1 to 64 letters",
            "tenant=a;dry-run=yes                | dry-run: expected true or false, found 'yes'",
            "tenant=a;scan=                      | scan: expected true or false, found ''",
            "tenant=a;wait=soon                  | wait: expected a duration such as 15m, found 'soon'",
            "tenant=a;wait=-1s                   | wait: expected a duration such as 15m, found '-1s'",
            "tenant=a;wait=                      | wait: expected a duration such as 15m, found ''" })
    void wrongArgumentsAreNamed(String words, String message) {
        assertThatThrownBy(() -> words(words.isEmpty() ? new String[0] : words.split(";", -1)))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "attribute=usr;value=42              | attribute: expected one of the labels in table",
            "attribute=usr;value=42              | views [user, page], visits [country, user, device], found 'usr'",
            "attribute=user;value=1;dataset=clicks | clicks [page], found 'user'",
            "dataset=click;label=1               | dataset: table",
            "dataset=click;label=1               | has no dataset 'click'; it has [all, clicks, views, visits]",
            "dataset=clicks;label=1;label=2      | label: expected at most 1 values, as dataset clicks has the label [page], found 2",
            "dataset=all;label=1                 | label: expected at most 0 values" })
    void whatTheTableDoesNotHaveIsNamed(String words, String message) {
        assertThatThrownBy(() -> erase(words.split(";", -1)).run()).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @Test
    void aLabelThatFitsIntoNoKeyIsAnError() {
        assertThatThrownBy(() -> erase("dataset=clicks", "label=" + "x".repeat(2_100)).run())
                .isInstanceOf(InvalidInputException.class).hasMessageContaining("at most 2048 bytes");
    }

    @Test
    void aTableThatNoWriterHasUsedIsAnError() {
        aws.createTable("unused");

        assertThatThrownBy(() -> new Erase(client, "unused", words("attribute=user", "value=42"), 1e9, time).run())
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("table unused: no writer has used it yet");
    }

    @Test
    void textThatThePlatformGarblesIsAnError() {
        assertThatThrownBy(() -> Erase.Arguments.parse(List.of("attribute=user", "value=Z\uFFFD\uFFFDrich"), "ANSI_X3.4-1968"))
                .hasMessage("value: characters beyond ASCII arrive garbled in the character set ANSI_X3.4-1968: "
                        + "set the environment variable LC_ALL to C.UTF-8");
    }

    @ParameterizedTest
    @ValueSource(strings = { "90s", "PT90S" })
    void theWaitHasTheFormOfSettings(String text) {
        assertThat(words("tenant=a", "wait=" + text).longestWait()).isEqualTo(Duration.ofSeconds(90));
        assertThat(words("tenant=a").longestWait()).isEqualTo(Duration.ofMinutes(15));
    }

    private Erase erase(String... words) {
        return new Erase(client, table, words(words), 1e12, time);
    }

    private static Erase.Arguments words(String... words) {
        return Erase.Arguments.parse(List.of(words), "UTF-8");
    }

    private static <T> T any(List<T> of, RandomGenerator random) {
        return of.get(random.nextInt(of.size()));
    }

    private void putAll(String dataset, String... values) {
        items.put(all(dataset, values).toList());
    }

    /** A bucket of each granularity in each key shard. */
    private static Stream<Map<String, AttributeValue>> all(String dataset, String... values) {
        return IntStream.range(0, DATASETS.named(dataset).orElseThrow().keyShards()).boxed()
                .flatMap(keyShard -> Stream.of(Granularity.MINUTE, Granularity.DAY)
                        .map(granularity -> bucket("default", dataset, granularity, keyShard, values)));
    }

    private void put(String tenant, String dataset, Granularity granularity, int keyShard, String... values) {
        items.put(List.of(bucket(tenant, dataset, granularity, keyShard, values)));
    }

    private static Map<String, AttributeValue> bucket(String tenant, String dataset, Granularity granularity, int keyShard,
            String... values) {
        int partition = DATASETS.named(dataset).map(Dataset::partition).orElse(values.length);
        SeriesKey series = new SeriesKey(tenant, dataset, Label.of(values), partition, keyShard);
        Map<String, AttributeValue> item = new HashMap<>(
                JournalItems.key(series.partitionKey(), new BucketKey(series, granularity, START).sortKey()));
        item.put("m_views", number(1));
        return item;
    }

    private void journal(String partitionKey, String sortKey) {
        items.put(List.of(JournalItems.key(partitionKey, sortKey)));
    }

    private void lane(int number, long position, long applied) {
        lane(number, position, applied, Map.of());
    }

    private void lane(int number, long position, long applied, Map<String, AttributeValue> more) {
        Map<String, AttributeValue> item = new HashMap<>(more);
        item.putAll(JournalItems.key(TableSchema.lanePartitionKey(number), TableSchema.LANE_SK));
        item.putAll(Map.of(TableSchema.LANE_EPOCH, number(1), TableSchema.LANE_BEAT, number(1), TableSchema.LANE_HOLDER,
                AttributeValue.fromS("somebody"), TableSchema.LANE_POSITION, number(position), TableSchema.LANE_APPLIED,
                number(applied)));
        assertThat(number).isLessThan(Lane.MAX_LANES);
        items.put(List.of(item));
    }

    private static AttributeValue number(long number) {
        return AttributeValue.fromN(Long.toString(number));
    }

    private long requests(String operation) {
        return proxy.audit().requests(operation);
    }

    private Set<String> labels() {
        return flatLabels().stream().map(label -> label.get(1) + " " + label.subList(2, label.size()))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Tenant, dataset and values of all labels in the table. */
    private Set<List<String>> flatLabels() {
        return items.buckets().stream()
                .map(item -> BucketKey.ofTableKeys(item.get(TableSchema.PK).s(), item.get(TableSchema.SK).s()).series())
                .map(series -> flat(series.tenant(), series.dataset(), series.label().values())).collect(Collectors.toSet());
    }

    private static List<String> flat(String tenant, String dataset, List<String> values) {
        List<String> flat = new ArrayList<>(List.of(tenant, dataset));
        flat.addAll(values);
        return flat;
    }
}
