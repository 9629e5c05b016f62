package dev.windrow.gather.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import dev.windrow.dataset.Measure;
import dev.windrow.dataset.MeasureKind;
import dev.windrow.dataset.MeasureValue;
import dev.windrow.gather.plan.ItemFilter;
import dev.windrow.gather.plan.MeasureValues;
import dev.windrow.gather.plan.ReadSource;
import dev.windrow.gather.plan.ShardQuery;
import dev.windrow.gather.testing.FakeRedis;
import dev.windrow.testing.FreePort;
import dev.windrow.testing.Patience;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Redis;

/** Uses a real redis-server if there is one on the PATH. */
class RedisPageCacheTest {

    private static final ShardPage EMPTY = SimulatedReads.page(3);
    private static final List<Measure> MEASURES = List.of(new Measure("events", MeasureKind.COUNT, null),
            new Measure("last", MeasureKind.LAST, "bytes"), new Measure("least", MeasureKind.MIN, "bytes"));

    @AutoClose
    private final Vertx vertx = Vertx.vertx();

    @Test
    void aPageComesBackAsItWas() throws IOException {
        ShardPage page = page();

        assertThat(PageDocument.decode(MEASURES, PageDocument.encode(page))).isEqualTo(page);
    }

    @Test
    void gatherersSharePages() throws Exception {
        Optional<File> program = Arrays.stream(System.getenv("PATH").split(File.pathSeparator, -1))
                .map(folder -> new File(folder, "redis-server")).filter(File::canExecute).findFirst();
        assumeTrue(program.isPresent(), "there is no redis-server on the path");
        int port = FreePort.find();
        Process server = new ProcessBuilder(program.get().getPath(), "--port", Integer.toString(port), "--bind", "127.0.0.1",
                "--save", "", "--appendonly", "no").redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
        try {
            ShardReader.Read read = SimulatedReads.one();
            Awaitility.await().atMost(Patience.LIMIT).ignoreExceptions()
                    .until(() -> Redis.createClient(vertx, "redis://127.0.0.1:" + port)
                            .connect().toCompletionStage().toCompletableFuture().join() != null);
            RedisPageCache one = pages(port, new Memory());
            Memory othersMemory = new Memory();
            RedisPageCache other = pages(port, othersMemory);
            assertThat(find(other, read)).isNull();

            one.keep(read, EMPTY);

            Awaitility.await().atMost(Patience.LIMIT).untilAsserted(() -> assertThat(find(other, read)).isEqualTo(EMPTY));
            assertThat(othersMemory.kept).containsKey(read);
        } finally {
            server.destroy();
            server.waitFor();
        }
    }

    @Test
    void withoutRedisPagesAreNotFound() throws Exception {
        RedisPageCache pages = pages(FreePort.find(), new Memory());

        pages.keep(SimulatedReads.one(), EMPTY);

        assertThat(find(pages, SimulatedReads.one())).isEqualTo(EMPTY);
        assertThat(find(pages(FreePort.find(), new Memory()), SimulatedReads.one())).isNull();
    }

    /** An ACL of Redis can restrict a gatherer to the pages of some tenants, and tables may share a Redis. */
    @Test
    void keysBeginWithTheTableAndTheTenant() {
        FakeRedis redis = new FakeRedis();
        try {
            // Given
            String address = redis.start().getOrDefault("windrow.gather.fanout.cache.redis", "");
            ShardReader.Read read = read("tenant-a#clicks#minute#0");

            // When
            pages(address, "windrow", new Memory()).keep(read, EMPTY);

            // Then
            RedisPageCache same = pages(address, "windrow", new Memory());
            Awaitility.await().atMost(Patience.LIMIT).untilAsserted(() -> assertThat(find(same, read)).isEqualTo(EMPTY));
            assertThat(redis.values().keySet()).hasSize(1)
                    .allMatch(key -> key.matches("windrow:page:tenant-a:[0-9a-f]{64}"));
            assertThat(find(pages(address, "windrow-staging", new Memory()), read)).isNull();
        } finally {
            redis.stop();
        }
    }

    private static ShardPage find(RedisPageCache pages, ShardReader.Read read) {
        return pages.find(read).await().atMost(Patience.LIMIT);
    }

    private RedisPageCache pages(int port, CachedShardReader.PageCache memory) {
        return pages("redis://127.0.0.1:" + port, "windrow", memory);
    }

    private RedisPageCache pages(String address, String table, CachedShardReader.PageCache memory) {
        return new RedisPageCache(memory, Redis.createClient(vertx, address), table, Patience.LIMIT, Duration.ofMinutes(1),
                Infrastructure.getDefaultWorkerPool());
    }

    private static ShardReader.Read read(String partitionKey) {
        ShardQuery query = new ShardQuery(ReadSource.INDEX, 0, partitionKey, "", "", false, false, Instant.EPOCH,
                List.of(), ItemFilter.ALL);
        return new ShardReader.Read(SimulatedReads.one().dataset(), query, Optional.empty(), 7);
    }

    private static ShardPage page() {
        MeasureValues values = new MeasureValues(MEASURES, Arrays.asList(MeasureValue.of(new BigDecimal("1")), MeasureValue
                .at(new BigDecimal("12345678901234567890.123456789"), Instant.parse("2026-11-20T10:31:00.123456789Z")),
                null));
        return new ShardPage(List.of(new ShardItem("k#1", "k", values)),
                Optional.of(Map.of("pk", "a", "sk", "\uD83D\uDE00")), 3, 0.5);
    }

    private static final class Memory implements CachedShardReader.PageCache {
        private final Map<ShardReader.Read, ShardPage> kept = new HashMap<>();

        @Override
        public synchronized Uni<ShardPage> find(ShardReader.Read read) {
            return Uni.createFrom().item(kept.get(read));
        }

        @Override
        public synchronized void keep(ShardReader.Read read, ShardPage page) {
            kept.put(read, page);
        }
    }
}
