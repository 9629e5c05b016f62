package dev.windrow.gather.read;

import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.ScheduledExecutorService;

import org.apache.commons.codec.digest.DigestUtils;

import dev.windrow.base.KeyCodec;
import dev.windrow.base.StructuredLogger;
import dev.windrow.dataset.Measure;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.unchecked.Unchecked;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;

/**
 * A page cache in a Redis that several gatherers share, behind the memory of each. If Redis is slow, full or unavailable, pages
 * are read from their shards.
 *
 * @param memory the cache that is looked up first
 * @param table the table whose pages these are
 * @param patience how long Redis may take to respond
 * @param keep how long a page is kept
 */
public record RedisPageCache(CachedShardReader.PageCache memory, Redis redis, String table, Duration patience,
        Duration keep, ScheduledExecutorService timer) implements CachedShardReader.PageCache {

    private static final StructuredLogger LOG = StructuredLogger.of(RedisPageCache.class);
    private static final String PREFIX = "windrow:page:";
    /** Changed whenever the form of pages changes, so that gatherers of different versions share no entries. */
    private static final String FORMAT = "2";
    /** About as long as a slow read of the shard takes instead. */
    public static final Duration PATIENCE = Duration.ofMillis(100);
    /** As in memory by default; late events show after this time. */
    public static final Duration KEEP = Duration.ofMinutes(1);

    @Override
    public Uni<ShardPage> find(ShardReader.Read read) {
        return memory.find(read).onItem().ifNull().switchTo(() -> send(Request.cmd(Command.GET).arg(key(read)))
                .onItem().ifNotNull().transform(Unchecked.function(
                        response -> PageDocument.decode(read.dataset().measures(), response.toString())))
                .onItem().ifNotNull().invoke(page -> memory.keep(read, page))
                .ifNoItem().after(patience).on(timer).recoverWithUni(() -> Uni.createFrom().nullItem())
                .onFailure().invoke(failure -> LOG.debug(failure, "shared cache not read, the shard is read instead"))
                .onFailure().recoverWithUni(() -> Uni.createFrom().nullItem()));
    }

    @Override
    public void keep(ShardReader.Read read, ShardPage page) {
        memory.keep(read, page);
        Uni.createFrom().deferred(() -> send(
                Request.cmd(Command.SET).arg(key(read)).arg(PageDocument.encode(page)).arg("PX").arg(keep.toMillis())))
                .ifNoItem().after(patience).on(timer).recoverWithUni(() -> Uni.createFrom().nullItem())
                .subscribe().with(kept -> {
                }, failure -> LOG.debug(failure, "page not written to the shared cache"));
    }

    private Uni<Response> send(Request request) {
        return Uni.createFrom().completionStage(() -> redis.send(request).toCompletionStage());
    }

    /**
     * The cache key of a page. It covers the table and the measures' declarations, because other gatherers may have different
     * ones. The tenant is in plain text, so that an ACL of Redis can restrict a gatherer to the tenants that its role may read.
     */
    private String key(ShardReader.Read read) {
        List<Measure> measures = read.dataset().measures();
        String text = FORMAT + "|" + table + "|" + measures + "|" + read.query() + "|" + read.after().map(TreeMap::new) + "|"
                + read.limit();
        String tenant = KeyCodec.decode(read.query().partitionKey()).get(0);
        return PREFIX + tenant + ":" + DigestUtils.sha256Hex(text);
    }
}
