package dev.windrow.gather.fanout.dynamo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.math.BigDecimal;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Dedupe;
import dev.windrow.dataset.Delivery;
import dev.windrow.gather.fanout.FanoutConfig;
import dev.windrow.gather.fanout.GatherException;
import dev.windrow.gather.fanout.ShardPage;
import dev.windrow.gather.fanout.ShardReader;
import dev.windrow.gather.fixture.Aggregated;
import dev.windrow.gather.merge.ShardItem;
import dev.windrow.gather.query.ShardQuery;
import dev.windrow.gather.query.ShardQuery.Source;
import dev.windrow.key.BucketKey;
import dev.windrow.key.Label;
import dev.windrow.key.SeriesKey;
import dev.windrow.local.LocalAws;
import dev.windrow.local.LocalAwsOptions;
import dev.windrow.local.fault.DynamoDbFaults;
import dev.windrow.local.fault.Fault;
import dev.windrow.local.fault.FaultPlan;
import dev.windrow.local.fault.FaultProxy;
import dev.windrow.measure.Measure;
import dev.windrow.measure.MeasureKind;
import dev.windrow.measure.MeasureValue;
import dev.windrow.reason.Reason;
import dev.windrow.scatter.Scatter;
import dev.windrow.table.TableSchema;
import dev.windrow.time.Granularity;
import io.vertx.core.Vertx;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.crt.AwsCrtAsyncHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.DefaultRetryStrategy;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** What every reader of the table must do, against a real server with faults on the way. */
@ParameterizedClass
@EnumSource(FanoutConfig.Reader.class)
@Timeout(60)
class ShardReaderContractTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final Granularity MINUTE = Granularity.MINUTE;
    private static final Instant HOUR = Instant.parse("2026-11-20T10:00:00Z");
    private static final List<Measure> MEASURES = List.of(new Measure("events", MeasureKind.COUNT, null),
            new Measure("sum", MeasureKind.SUM, "a"), new Measure("last", MeasureKind.LAST, "a"));
    private static final List<String> LABELS = List.of("a", "say \"hi\"\\", "line\r\nbreak", "\u0001", "ü€😀", "", "#$");
    private static final int LARGE_ITEMS = 1_000;

    private static LocalAws localAws;
    private static FaultProxy proxy;
    private static Vertx vertx;

    @Parameter
    FanoutConfig.Reader kind;

    private final CompletableFuture<Void> release = new CompletableFuture<>();
    private DynamoDbAsyncClient client;
    private ShardReader reader;

    @BeforeAll
    static void start() {
        localAws = LocalAws.start(LocalAwsOptions.forTests());
        proxy = FaultProxy.start(localAws.dynamoDbEndpoint(), FaultPlan.none());
        vertx = Vertx.vertx();
        Aggregated items = new Aggregated("default", dataset("clicks"), new SplittableRandom(1));
        for (int i = 0; i < LABELS.size(); i++) {
            items.event(Label.of(LABELS.get(i)), HOUR.plusSeconds(60), "12345678901234567890123456.789");
            items.event(Label.of(LABELS.get(i)), HOUR.plusSeconds(60L * i).plusMillis(250), "-0.5");
        }
        items.writeTo(localAws.dynamoDb(), TableSchema.TABLE);
        Aggregated large = new Aggregated("default", dataset("large"), new SplittableRandom(1));
        IntStream.range(0, LARGE_ITEMS)
                .forEach(i -> large.event(Label.of(i + "x".repeat(700)), HOUR, "1"));
        large.writeTo(localAws.dynamoDb(), TableSchema.TABLE);
    }

    @AfterAll
    static void stop() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
        proxy.close();
        localAws.close();
    }

    @BeforeEach
    void connect() {
        client = client(proxy.endpoint());
        reader = reader(client, PATIENCE);
    }

    @AfterEach
    void heal() {
        proxy.use(FaultPlan.none());
        release.complete(null);
        client.close();
    }

    @Test
    void pagesFollowEachOtherToTheEndInBothOrders() {
        List<ShardItem> whole = page(index("clicks", false, Optional.empty()), 100).items();
        assertThat(whole).hasSize(2 * LABELS.size() - 1);

        for (boolean descending : List.of(false, true)) {
            List<ShardItem> walked = new ArrayList<>();
            Optional<ShardPage.Position> after = Optional.empty();
            int scanned = 0;
            do {
                ShardPage page = read(reader, index("clicks", descending, Optional.empty()), after, 3);
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
        ShardPage page = page(index("clicks", false, Optional.empty()), 100);

        for (int i = 0; i < LABELS.size(); i++) {
            BucketKey key = key("clicks", LABELS.get(i), HOUR.plusSeconds(60L * i));
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
                Scatter.hash(1), Delivery.AT_LEAST_ONCE, Dedupe.MESSAGE);

        ShardPage page = reader.read(new ShardReader.Read(wider, index("clicks", false, Optional.empty()),
                Optional.empty(), 100)).await().atMost(PATIENCE);

        assertThat(page.items()).isNotEmpty().allSatisfy(item -> {
            assertThat(item.values().at(0)).isEmpty();
            assertThat(item.values().at(1)).isPresent();
        });
    }

    @Test
    void filtersLeaveOutButAreCounted() {
        String wanted = new SeriesKey("default", "clicks", Label.of("ü€😀"), 0).partitionKey();

        ShardPage page = page(index("clicks", false, Optional.of(wanted)), 100);

        assertThat(page.items()).hasSize(2).allSatisfy(item -> assertThat(item.key()).contains("ü€😀"));
        assertThat(page.scannedItems()).isEqualTo(2 * LABELS.size() - 1);
    }

    @Test
    void oneSeriesIsReadFromTheTableConsistently() {
        ShardQuery query = new ShardQuery(Source.TABLE, 0,
                new SeriesKey("default", "clicks", Label.of("a"), 0).partitionKey(), BucketKey.sortKey(MINUTE, HOUR),
                BucketKey.sortKey(MINUTE, HOUR.plusSeconds(3_600)), false, true, HOUR.plusSeconds(3_600), Optional.empty());

        ShardPage page = page(query, 100);

        assertThat(page.items()).extracting(ShardItem::key).containsExactly(BucketKey.sortKey(MINUTE, HOUR),
                BucketKey.sortKey(MINUTE, HOUR.plusSeconds(60)));
        assertThat(page.items()).extracting(ShardItem::group).containsExactly(BucketKey.sortKey(MINUTE, HOUR),
                BucketKey.sortKey(MINUTE, HOUR.plusSeconds(60)));
    }

    @Test
    void aPageOfMoreThanAMegabyteIsCutByTheServerAndGoesOn() {
        ShardPage first = page(index("large", false, Optional.empty()), LARGE_ITEMS);
        ShardPage second = read(reader, index("large", false, Optional.empty()), first.next(), LARGE_ITEMS);

        assertThat(first.items().size()).isBetween(1, LARGE_ITEMS - 1);
        assertThat(first.items().size() + second.items().size()).isEqualTo(LARGE_ITEMS);
        assertThat(second.next()).isEmpty();
    }

    @Test
    void failuresAreToldByTheirReason() {
        requireFailure(DynamoDbFaults.throughputExceeded(), Reason.THROTTLED);
        requireFailure(DynamoDbFaults.throttled(), Reason.THROTTLED);
        requireFailure(DynamoDbFaults.internalServerError(), Reason.UNAVAILABLE);
        requireFailure(DynamoDbFaults.expiredToken(), Reason.REFUSED);
        requireFailure(new Fault.CutBefore(), Reason.UNAVAILABLE);
        requireFailure(new Fault.CutAfter(), Reason.UNAVAILABLE);

        assertThat(page(index("clicks", false, Optional.empty()), 100).items()).isNotEmpty();
    }

    @Test
    void theServersWordsAreToldOfWhatItRefuses() {
        proxy.use(FaultPlan.always(DynamoDbFaults.expiredToken()));

        assertThat(failure(reader)).hasMessageContaining("security token included in the request is expired");
    }

    @Test
    void anAnswerThatDoesNotComeIsTimedOut() {
        proxy.use(FaultPlan.always(new Fault.Hang(release)));

        assertThat(failure(reader(client, SHORT)).reason()).isEqualTo(Reason.TIMED_OUT);
    }

    @Test
    void aServerThatIsNotThereIsUnavailable() {
        FaultProxy gone = FaultProxy.start(localAws.dynamoDbEndpoint(), FaultPlan.none());
        URI nowhere = gone.endpoint();
        gone.close();
        try (DynamoDbAsyncClient lost = client(nowhere)) {
            assertThat(failure(reader(lost, PATIENCE)).reason()).isEqualTo(Reason.UNAVAILABLE);
        }
    }

    private void requireFailure(Fault fault, Reason reason) {
        proxy.use(FaultPlan.always(fault));
        assertThat(failure(reader).reason()).as(fault.kind()).isEqualTo(reason);
        proxy.use(FaultPlan.none());
    }

    private static GatherException failure(ShardReader reader) {
        GatherException failure = catchThrowableOfType(GatherException.class,
                () -> read(reader, index("clicks", false, Optional.empty()), Optional.empty(), 100));
        assertThat(failure).isNotNull();
        return failure;
    }

    private ShardPage page(ShardQuery query, int limit) {
        return read(reader, query, Optional.empty(), limit);
    }

    private static ShardPage read(ShardReader reader, ShardQuery query, Optional<ShardPage.Position> after, int limit) {
        return reader.read(new ShardReader.Read(dataset("clicks"), query, after, limit)).await().atMost(PATIENCE);
    }

    private ShardReader reader(DynamoDbAsyncClient sdk, Duration timeout) {
        return switch (kind) {
            case WIRE -> new WireShardReader(vertx, sdk, TableSchema.TABLE, timeout, 4, Runnable::run, Clock.systemUTC());
            case SDK -> new SdkShardReader(sdk, TableSchema.TABLE, timeout);
        };
    }

    private static ShardQuery index(String dataset, boolean descending, Optional<String> filter) {
        return new ShardQuery(Source.INDEX, 0, BucketKey.indexPartitionKey("default", dataset, MINUTE, 0), HOUR.toString(),
                HOUR.plusSeconds(3_600).toString(), descending, false, HOUR.plusSeconds(3_600), filter);
    }

    private static BucketKey key(String dataset, String label, Instant start) {
        return new BucketKey(new SeriesKey("default", dataset, Label.of(label), 0), MINUTE, start);
    }

    private static Dataset dataset(String name) {
        return new Dataset(name, "click", List.of("referrer"), List.of(MINUTE), List.of(MINUTE), 1, MEASURES,
                Scatter.hash(1), Delivery.AT_LEAST_ONCE, Dedupe.MESSAGE);
    }

    private static DynamoDbAsyncClient client(URI endpoint) {
        return DynamoDbAsyncClient.builder().endpointOverride(endpoint).region(Region.US_EAST_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("windrow", "windrow")))
                .overrideConfiguration(settings -> settings.retryStrategy(DefaultRetryStrategy.doNotRetry()))
                .httpClientBuilder(AwsCrtAsyncHttpClient.builder()).build();
    }
}
