package dev.windrow.gather.read;

import static dev.windrow.gather.read.SampleShards.CLICKS;
import static dev.windrow.gather.read.SampleShards.HOUR;
import static dev.windrow.gather.read.SampleShards.LABELS;
import static dev.windrow.gather.read.SampleShards.LARGE;
import static dev.windrow.gather.read.SampleShards.LARGE_ITEMS;
import static dev.windrow.gather.read.SampleShards.MINUTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Dedupe;
import dev.windrow.dataset.Measure;
import dev.windrow.dataset.MeasureKind;
import dev.windrow.dataset.MeasureValue;
import dev.windrow.gather.plan.ItemFilter;
import dev.windrow.gather.plan.ReadSource;
import dev.windrow.gather.plan.ShardQuery;
import dev.windrow.local.LocalAws;
import dev.windrow.local.LocalAwsOptions;
import dev.windrow.local.fault.DynamoDbFaults;
import dev.windrow.local.fault.ErrorCases;
import dev.windrow.local.fault.ErrorCases.ErrorCase;
import dev.windrow.local.fault.FaultPlan;
import dev.windrow.local.fault.FaultProxy;
import dev.windrow.scatter.Scatter;
import dev.windrow.table.BucketKey;
import dev.windrow.testing.Patience;
import io.vertx.core.Vertx;

/** The contract of every reader of the table, tested against a real server behind a proxy that injects faults. */
class ShardReaderContractTest {

    private static final Duration PATIENCE = Patience.LIMIT;

    @AutoClose
    private static LocalAws localAws;
    @AutoClose
    private static FaultProxy proxy;
    @AutoClose
    private static Vertx vertx;

    @AutoClose
    private final ReaderConnection connection = new ReaderConnection(vertx, proxy.endpoint());
    private final ShardReader reader = connection.reader(PATIENCE);

    @BeforeAll
    static void start() {
        localAws = LocalAws.start(LocalAwsOptions.forTests());
        proxy = FaultProxy.start(localAws.dynamoDbEndpoint(), FaultPlan.none());
        vertx = Vertx.vertx();
        SampleShards.writeTo(localAws);
    }

    @AfterEach
    void heal() {
        proxy.use(FaultPlan.none());
    }

    @Test
    void pagesFollowEachOtherToTheEndInBothOrders() {
        List<ShardItem> whole = page(CLICKS, 100).items();
        assertThat(whole).hasSize(2 * LABELS.size() - 1);

        for (boolean descending : List.of(false, true)) {
            List<ShardItem> walked = new ArrayList<>();
            Optional<Map<String, String>> after = Optional.empty();
            int scanned = 0;
            do {
                ShardPage page = read(SampleShards.hour(CLICKS, descending), after, 3);
                assertThat(page.items()).hasSizeLessThanOrEqualTo(3);
                assertThat(page.readUnits()).isPositive();
                walked.addAll(page.items());
                scanned += page.scannedItems();
                after = page.next();
            } while (after.isPresent());
            if (descending) {
                Collections.reverse(walked);
            }
            assertThat(walked).isEqualTo(whole);
            assertThat(scanned).isEqualTo(whole.size());
        }
    }

    @Test
    void keysAndNumbersAreExact() {
        ShardPage page = page(CLICKS, 100);

        for (int i = 0; i < LABELS.size(); i++) {
            BucketKey key = new BucketKey(SampleShards.series(LABELS.get(i)), MINUTE, HOUR.plusSeconds(60L * i));
            ShardItem item = page.items().stream().filter(one -> one.key().equals(key.indexSortKey())).findFirst()
                    .orElseThrow();
            assertThat(item.group()).isEqualTo(key.indexSortKey().replaceFirst("#0$", ""));
            boolean both = i == 1;
            assertThat(item.values().at(0)).contains(MeasureValue.of(new BigDecimal(both ? 2 : 1)));
            assertThat(item.values().at(1))
                    .contains(MeasureValue.of(new BigDecimal(both ? "12345678901234567890123456.289" : "-0.5")));
            assertThat(item.values().at(2)).contains(
                    MeasureValue.at(new BigDecimal("-0.5"), HOUR.plusSeconds(60L * i).plusMillis(250)));
        }
    }

    @Test
    void whatAnItemLacksIsNoValue() {
        Dataset wider = new Dataset("clicks", "click", List.of("referrer"), List.of(MINUTE), List.of(MINUTE), 1,
                List.of(new Measure("later", MeasureKind.LAST, "b"), new Measure("events", MeasureKind.COUNT, null)),
                Scatter.hash(1), Dedupe.MESSAGE);

        ShardPage page = reader.read(new ShardReader.Read(wider, SampleShards.hour(CLICKS, false),
                Optional.empty(), 100)).await().atMost(PATIENCE);

        assertThat(page.items()).isNotEmpty().allSatisfy(item -> {
            assertThat(item.values().at(0)).isEmpty();
            assertThat(item.values().at(1)).isPresent();
        });
    }

    @Test
    void filtersLeaveOutButAreCounted() {
        String wanted = SampleShards.series("ü€😀").partitionKey();

        ShardPage page = page(SampleShards.hour(CLICKS, false, wanted), 100);

        assertThat(page.items()).hasSize(2).allSatisfy(item -> assertThat(item.key()).contains("ü€😀"));
        assertThat(page.scannedItems()).isEqualTo(2 * LABELS.size() - 1);
    }

    @Test
    void severalFiltersLetThroughWhatAnyOfThemDoes() {
        ShardPage page = page(SampleShards.hour(CLICKS, false, SampleShards.series("a").partitionKey(),
                SampleShards.series("ü€😀").partitionKey(), "default#clicks#nobody#"), 100);

        assertThat(page.items()).extracting(ShardItem::group)
                .allMatch(group -> group.endsWith("#a") || group.endsWith("#ü€😀"))
                .anyMatch(group -> group.endsWith("#a")).anyMatch(group -> group.endsWith("#ü€😀"));
    }

    @Test
    void oneSeriesIsReadFromTheTableConsistently() {
        ShardQuery query = new ShardQuery(ReadSource.TABLE, 0,
                SampleShards.series("a").partitionKey(), BucketKey.sortKey(MINUTE, HOUR),
                BucketKey.sortKey(MINUTE, HOUR.plusSeconds(3_600)), false, true, HOUR.plusSeconds(3_600), List.of(),
                ItemFilter.ALL);

        ShardPage page = page(query, 100);

        assertThat(page.items()).extracting(ShardItem::key).as("as in the index").containsExactly(HOUR + "#a#0",
                HOUR.plusSeconds(60) + "#a#0");
        assertThat(page.items()).extracting(ShardItem::group).containsExactly(HOUR + "#a", HOUR.plusSeconds(60) + "#a");
    }

    @Test
    void aPageOfMoreThanAMegabyteIsCutByTheServerAndGoesOn() {
        ShardPage first = page(LARGE, LARGE_ITEMS);
        ShardPage second = read(SampleShards.hour(LARGE, false), first.next(), LARGE_ITEMS);

        assertThat(first.items().size()).isBetween(1, LARGE_ITEMS - 1);
        assertThat(first.items().size() + second.items().size()).isEqualTo(LARGE_ITEMS);
        assertThat(second.next()).isEmpty();
    }

    static List<ErrorCase> errors() {
        return ErrorCases.dynamoDb();
    }

    @ParameterizedTest
    @MethodSource("errors")
    void anErrorHasTheReasonOfTheContract(ErrorCase error) {
        proxy.use(FaultPlan.always(error.fault()));

        assertThat(failure(connection.reader(error.requestTimeout())).reason()).isEqualTo(error.reason());

        proxy.use(FaultPlan.none());
        assertThat(page(CLICKS, 100).items()).isNotEmpty();
    }

    @Test
    void aRefusalHasTheServersMessage() {
        proxy.use(FaultPlan.always(DynamoDbFaults.expiredToken()));

        assertThat(failure(reader)).hasMessageContaining("security token included in the request is expired");
    }

    private static GatherException failure(ShardReader reader) {
        GatherException failure = catchThrowableOfType(GatherException.class,
                () -> reader.read(SampleShards.firstPage()).await().atMost(PATIENCE));
        assertThat(failure).isNotNull();
        return failure;
    }

    private ShardPage page(Dataset dataset, int limit) {
        return page(SampleShards.hour(dataset, false), limit);
    }

    private ShardPage page(ShardQuery query, int limit) {
        return read(query, Optional.empty(), limit);
    }

    private ShardPage read(ShardQuery query, Optional<Map<String, String>> after, int limit) {
        return reader.read(SampleShards.read(query, after, limit)).await().atMost(PATIENCE);
    }
}
