package dev.windrow.gather.read;

import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

import org.eclipse.microprofile.config.inject.ConfigProperty;

import dev.windrow.aws.AwsJsonClient;
import dev.windrow.aws.AwsJsonClientFactory;
import dev.windrow.aws.NetworkSettings;
import dev.windrow.aws.SdkHttp;
import dev.windrow.aws.SdkHttp.CredentialsHttp;
import dev.windrow.base.AdaptiveLimit;
import dev.windrow.base.AdmissionQueue;
import dev.windrow.base.CircuitBreaker;
import dev.windrow.base.Reason;
import dev.windrow.base.Reason.Of;
import dev.windrow.base.SharedTimer;
import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Datasets;
import dev.windrow.gather.read.CachedShardReader.CaffeinePageCache;
import dev.windrow.gather.read.Gatherer.FanoutLimits;
import dev.windrow.gather.read.ItemReader.DynamoItemReader;
import dev.windrow.gather.read.Lanes.DynamoLaneReader;
import dev.windrow.gather.read.ReadConfig.GatherConfig;
import dev.windrow.gather.read.ShardRead.ReadListener;
import dev.windrow.gather.read.ShardRead.ResilientShardReader;
import dev.windrow.gather.read.ShardRead.RetryPolicy;
import dev.windrow.gather.read.ShardReader.ShardPage;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.netty.channel.EventLoopGroup;
import io.opentelemetry.api.OpenTelemetry;
import io.quarkus.cache.Cache;
import io.quarkus.cache.CacheName;
import io.quarkus.cache.CaffeineCache;
import io.quarkus.netty.MainEventLoopGroup;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Redis;
import software.amazon.awssdk.http.nio.netty.SdkEventLoopGroup;
import software.amazon.awssdk.retries.DefaultRetryStrategy;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClientBuilder;

/**
 * Builds the fan-out from its settings and connects it to the table. The AWS SDK creates by class name the HTTP client that
 * exchanges a web identity for credentials (IRSA), and the factory for profiles that assume a role.
 */
@ApplicationScoped
@RegisterForReflection(targets = CredentialsHttp.class, classNames = "software.amazon.awssdk.services.sts.internal.StsProfileCredentialsProviderFactory")
public class ReadProducer {

    /** As in the writer: half of the latest requests. */
    private static final double OUTAGE_RATIO = 0.5;
    private static final int LANE_READ_TRIES = 4;
    /** Maximum number of concurrent probes of the table. */
    private static final int RARE_REQUESTS = 8;

    /**
     * Settings that operators need not change, but tests do.
     *
     * @param maxStreams maximum number of streams (NDJSON and CSV of buckets) running beside the queries; as many more may wait
     * @param slowClientTimeout a stream whose client reads nothing for this long is ended
     * @param attemptTimeout how long DynamoDB may take to answer one attempt of a read
     * @param breakerReads number of latest reads that the circuit breaker considers, of the last ten seconds
     * @param breakerDelay how long the circuit breaker stays open; reads fail at once meanwhile
     * @param lanesRefresh how long lanes and the registered datasets are used before they are read again
     * @param lanesTimeout how long a read of them may take
     * @param abandonedAfter how long a lane with unapplied records may stay unchanged before it counts as abandoned
     */
    public record ReadSettings(int maxStreams, Duration slowClientTimeout, Duration attemptTimeout, int breakerReads,
            Duration breakerDelay, Duration lanesRefresh, Duration lanesTimeout, Duration abandonedAfter) {

        public static final ReadSettings DEFAULTS = new ReadSettings(
                // Each holds a page or two, so the memory of all is small beside that of queries.
                32,
                // Longer than a working client pauses.
                Duration.ofSeconds(30),
                // A fifth of a query's usual deadline, which leaves time for retries; DynamoDB answers in milliseconds or
                // not at all.
                Duration.ofSeconds(2),
                // Fewer than one wide query has in flight, so that a single query reveals an outage.
                100,
                // Short for users, and few reads for a table that is recovering.
                Duration.ofSeconds(2),
                // Answers are as of a second ago at worst, and lanes cost one read a second however many queries there are.
                Duration.ofSeconds(1),
                // A small part of a deadline: without it, queries are answered with the last lanes, and a warning.
                Duration.ofSeconds(1),
                // The limit of windrow.writer.journal.lease, after which another writer takes the lane over.
                Duration.ofMinutes(1));
    }

    @Produces
    @Singleton
    Clock clock() {
        return Clock.systemUTC();
    }

    @Produces
    @Singleton
    NetworkSettings network(GatherConfig config) {
        return config.network();
    }

    @Produces
    @Singleton
    HeldMemory heldMemory() {
        // The other half is for reading, merging and writing, and for the garbage collector.
        return new HeldMemory(Runtime.getRuntime().maxMemory() / 2);
    }

    @Produces
    @Singleton
    ReadSettings settings() {
        return ReadSettings.DEFAULTS;
    }

    @Produces
    @Singleton
    ReadPermits readPermits(ReadConfig config, ReadSettings settings) {
        // No read of a query or stream that was admitted is refused.
        long admitted = readsPerQuery(config) * ((long) config.maxQueries() + settings.maxStreams());
        return ReadPermits.of(config.maxReads(), (int) Math.min(admitted, Integer.MAX_VALUE),
                settings.attemptTimeout(), System::nanoTime);
    }

    private static int readsPerQuery(ReadConfig config) {
        return Math.min(FanoutLimits.MAX_READS_PER_QUERY, config.maxReads());
    }

    @Produces
    @Singleton
    CachedShardReader.PageCache pages(@CacheName("closed-pages") Cache memory, ReadConfig config, GatherConfig service,
            Instance<Redis> redis, @MainEventLoopGroup EventLoopGroup eventLoops) {
        CaffeinePageCache first = new CaffeinePageCache(memory.as(CaffeineCache.class));
        return config.redis().<CachedShardReader.PageCache> map(uri -> new RedisPageCache(first, redis.get(),
                service.table(), RedisPageCache.PATIENCE, RedisPageCache.KEEP, eventLoops)).orElse(first);
    }

    @Produces
    @Singleton
    ShardReader shardReader(AwsJsonClient client, GatherConfig service, ReadConfig config, ReadSettings settings,
            ReadPermits permits, ReadMetrics metrics, Instance<CachedShardReader.PageCache> pages, Clock clock,
            @MainEventLoopGroup EventLoopGroup eventLoops,
            @ConfigProperty(name = "quarkus.cache.enabled") boolean cached) {
        CircuitBreaker breaker = new CircuitBreaker(settings.breakerReads(), OUTAGE_RATIO, settings.breakerDelay().toNanos(),
                System::nanoTime);
        ShardReader resilient = new ResilientShardReader(
                new DynamoShards(client, service.table(), settings.attemptTimeout()), permits, RetryPolicy.usual(), breaker,
                Hedging.of(config.hedging()), new SharedTimer(eventLoops, System::nanoTime), System::nanoTime, metrics);
        return cached
                ? new CachedShardReader(resilient, pages.get(), clock, config.closedAfter(), CachedShardReader.MAX_PAGE_ITEMS)
                : resilient;
    }

    @Produces
    @Singleton
    Lanes lanes(AwsJsonClient client, ReadSettings settings, GatherConfig service, Clock clock, ReadMetrics metrics,
            @MainEventLoopGroup EventLoopGroup eventLoops) {
        // One slow response must not use up the time of the whole read.
        ItemReader items = new DynamoItemReader(client, service.table(), settings.lanesTimeout().dividedBy(LANE_READ_TRIES));
        return new Lanes(new DynamoLaneReader(items)::read, clock, System::nanoTime, settings.lanesRefresh(),
                settings.lanesTimeout(), settings.abandonedAfter(), metrics::failed, eventLoops);
    }

    @Produces
    @Singleton
    Gatherer gatherer(ShardReader reader, ReadConfig config, ReadSettings settings, Clock clock, ReadMetrics metrics,
            OpenTelemetry telemetry, RegisteredDatasets registered, @MainEventLoopGroup EventLoopGroup eventLoops,
            @ConfigProperty(name = "quarkus.otel.sdk.disabled", defaultValue = "false") boolean untraced) {
        FanoutLimits limits = new FanoutLimits(readsPerQuery(config), config.maxQueries(), config.maxQueuedQueries(),
                settings.maxStreams(), settings.slowClientTimeout(), FanoutLimits.MAX_ITEMS_PER_QUERY);
        return new Gatherer(reader, limits, clock, eventLoops, eventLoops, metrics::ended,
                untraced ? OpenTelemetry.noop() : telemetry, registered::requireSameKeys);
    }

    @Produces
    @Singleton
    RegisteredDatasets registered(ItemReader items, Datasets datasets, ReadSettings settings,
            @MainEventLoopGroup EventLoopGroup eventLoops) {
        return new RegisteredDatasets(items, datasets, System::nanoTime, settings.lanesRefresh(), settings.lanesTimeout(),
                eventLoops);
    }

    /**
     * The client for rare requests, on the existing event loops. It does not retry, because readiness is probed again anyway.
     * The wire client takes its endpoint, region and credentials from it.
     */
    @Produces
    @ApplicationScoped
    DynamoDbAsyncClient dynamoDb(DynamoDbAsyncClientBuilder builder, ReadSettings settings, NetworkSettings network,
            @MainEventLoopGroup EventLoopGroup eventLoops,
            @ConfigProperty(name = "quarkus.dynamodb.endpoint-override") Optional<URI> endpoint) {
        return builder.overrideConfiguration(builder.overrideConfiguration().toBuilder()
                .retryStrategy(DefaultRetryStrategy.doNotRetry()).build())
                .httpClientBuilder(SdkHttp.async(network, endpoint).eventLoopGroup(SdkEventLoopGroup.create(eventLoops))
                        .maxConcurrency(RARE_REQUESTS).readTimeout(settings.attemptTimeout()))
                .build();
    }

    /** The client for queries. Hedges take no permits, so there are a few more connections than permits. */
    @Produces
    @Singleton
    AwsJsonClient wire(DynamoDbAsyncClient client, ReadConfig config, Clock clock, Vertx vertx, NetworkSettings network) {
        return new AwsJsonClientFactory(vertx, network, Infrastructure.getDefaultWorkerPool(), clock)
                .dynamoDb(client, config.maxReads() + Math.max(8, config.maxReads() / 8));
    }

    @Produces
    @Singleton
    ItemReader items(AwsJsonClient client, ReadSettings settings, GatherConfig service) {
        return new DynamoItemReader(client, service.table(), settings.attemptTimeout());
    }

    /**
     * The permits of all reads. Only as many reads are in flight as the table answers well before they time out; the others
     * wait here, where queries take turns, rather than at the table.
     */
    public record ReadPermits(AdmissionQueue permits, AdaptiveLimit limit) {

        /** Enough for the circuit breaker to notice an outage by reads that time out. */
        private static final int MIN = 32;
        private static final int INITIAL = 128;
        private static final int SLOW_PART = 4;

        /**
         * @param max maximum number of reads in flight
         * @param maxWaiting maximum number of reads that wait
         * @param timeout of an attempt; a read that takes a quarter of it is slow
         */
        static ReadPermits of(int max, int maxWaiting, Duration timeout, LongSupplier nanoTime) {
            AdaptiveLimit limit = new AdaptiveLimit(Math.min(MIN, max), Math.min(INITIAL, max), max,
                    timeout.dividedBy(SLOW_PART).toNanos(), nanoTime);
            return new ReadPermits(AdmissionQueue.ofPermits(limit::current, maxWaiting, "reads", GatherException::new), limit);
        }
    }

    @Singleton
    static class ReadMetrics implements ReadListener {

        private static final String REASON = "reason";

        private final Timer reads;
        private final Counter hedges;
        private final MeterProvider<Counter> failures;
        private final MeterProvider<Counter> incomplete;
        private final Map<String, DatasetCounters> datasets;

        ReadMetrics(MeterRegistry registry, Datasets datasets) {
            this.reads = Timer.builder("windrow.gather.reads").description("Pages read from shards").register(registry);
            this.hedges = Counter.builder("windrow.gather.hedged.reads").description("Hedged reads of slow shards")
                    .register(registry);
            this.failures = byReason(registry, "windrow.gather.read.failures", "Reads that failed, by reason");
            this.incomplete = byReason(registry, "windrow.gather.incomplete.answers",
                    "Answers and streams that lack the data of some shards, by the reasons of these shards");
            this.datasets = datasets.all().stream()
                    .collect(Collectors.toMap(Dataset::name, dataset -> DatasetCounters.of(registry, dataset)));
        }

        /** Registers the expected reasons at 0: Prometheus does not see the first increase of a counter that appears later. */
        private static MeterProvider<Counter> byReason(MeterRegistry registry, String name, String description) {
            MeterProvider<Counter> counters = Counter.builder(name).description(description).withRegistry(registry);
            Reason.of(Of.WORLD).forEach(reason -> counters.withTag(REASON, reason.word()));
            return counters;
        }

        @Override
        public void read(Dataset dataset, long tookNanos, ShardPage page) {
            reads.record(Duration.ofNanos(tookNanos));
            of(dataset).items.increment(page.scannedItems());
            of(dataset).readUnits.increment(page.readUnits());
        }

        @Override
        public void failed(Throwable failure) {
            failures.withTag(REASON, GatherException.reasonOf(failure).word()).increment();
        }

        /** Counts an answer or a stream; one that is read from a roll-up counts for the roll-up. */
        void ended(Dataset dataset, GatherReport report) {
            (report.isComplete() ? of(dataset).complete : of(dataset).incomplete).increment();
            report.failures().keySet().forEach(reason -> incomplete.withTag(REASON, reason.word()).increment());
        }

        @Override
        public void hedged() {
            hedges.increment();
        }

        private DatasetCounters of(Dataset dataset) {
            return Objects.requireNonNull(datasets.get(dataset.name()));
        }

        /** Counters of one dataset. The tag {@code dataset} has one value per declared dataset, all of them from the start. */
        private record DatasetCounters(Counter complete, Counter incomplete, Counter items, Counter readUnits) {

            static DatasetCounters of(MeterRegistry registry, Dataset dataset) {
                String answers = "Answers and streams gathered, by whether they have all of their shards";
                return new DatasetCounters(
                        counter("windrow.gather.answers", answers, dataset).tag("complete", "true").register(registry),
                        counter("windrow.gather.answers", answers, dataset).tag("complete", "false").register(registry),
                        counter("windrow.gather.items", "Items read, before filters", dataset).register(registry),
                        counter("windrow.gather.read.units", "Read units consumed", dataset).register(registry));
            }

            private static Counter.Builder counter(String name, String description, Dataset dataset) {
                return Counter.builder(name).description(description).tag("dataset", dataset.name());
            }
        }
    }
}
