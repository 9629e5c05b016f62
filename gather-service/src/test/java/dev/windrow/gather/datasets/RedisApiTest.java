package dev.windrow.gather.datasets;

import static dev.windrow.gather.datasets.Api.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Instant;

import jakarta.inject.Inject;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.windrow.gather.testing.FakeRedis;
import dev.windrow.gather.testing.ManagementPort;
import dev.windrow.gather.testing.TableTest;
import dev.windrow.table.Label;
import dev.windrow.testing.Patience;
import io.quarkus.cache.Cache;
import io.quarkus.cache.CacheName;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;

/** A gatherer with a shared cache, which it uses while it responds and does without otherwise. */
@QuarkusTest
@QuarkusTestResource(value = FakeRedis.class, restrictToAnnotatedClass = true)
@Tag("slow")
class RedisApiTest extends TableTest {

    @Inject
    @CacheName("closed-pages")
    Cache memory;

    FakeRedis redis;

    @BeforeEach
    void write() {
        events("default", "stock")
                .event(Label.of("book"), Instant.parse("2020-11-20T10:00:00Z"), "5").writeTo(client, "windrow");
    }

    @AfterEach
    void answerAgain() {
        redis.silent(false);
    }

    @Test
    void pagesOfClosedRangesAreKeptThereAndReadFromThere() {
        // given a cached page
        assertThat(sold()).isEqualTo(5);
        await().atMost(Patience.LIMIT).untilAsserted(() -> assertThat(redis.values()).isNotEmpty()
                .allSatisfy((key, page) -> assertThat(key).startsWith("windrow:page:")));

        // when another gatherer, with nothing in memory, queries
        memory.invalidateAll().await().indefinitely();
        int before = redis.hits();

        // then
        assertThat(sold()).isEqualTo(5);
        assertThat(redis.hits()).isGreaterThan(before);
    }

    @Test
    void aSilentRedisIsDoneWithoutAndNoReasonToBeUnready() {
        memory.invalidateAll().await().indefinitely();
        redis.silent(true);

        assertThat(sold()).isEqualTo(5);
        // Once the gatherer is warm, which may be after the first answer.
        await().atMost(Patience.LIMIT)
                .untilAsserted(
                        () -> assertThat(ManagementPort.get("/q/health/ready").then().statusCode(200).extract().asString())
                                .doesNotContainIgnoringCase("redis"));
    }

    private static int sold() {
        return get("stock/buckets", "granularity", "hour", "from", "2020-11-20T00:00:00Z", "to", "2020-11-21T00:00:00Z")
                .jsonPath().getInt("items[0].measures.sold");
    }
}
