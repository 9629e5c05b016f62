package dev.windrow.gather.fanout;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import dev.windrow.base.AdmissionQueue;
import dev.windrow.gather.read.ReadSettings;
import io.quarkus.runtime.configuration.DurationConverter;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.helpers.test.UniAssertSubscriber;

class FanoutWiringTest {

    @Test
    void noReadOfAnAdmittedQueryOrStreamIsRefused() {
        // Given
        ReadConfig config = new SmallRyeConfigBuilder().addDefaultInterceptors()
                .withConverter(Duration.class, 200, new DurationConverter()).withMapping(ReadConfig.class).build()
                .getConfigMapping(ReadConfig.class);
        AdmissionQueue reads = new FanoutWiring().readPermits(config, ReadSettings.DEFAULTS).permits();

        // When
        List<UniAssertSubscriber<Object>> all = IntStream
                .range(0, FanoutLimits.MAX_READS_PER_QUERY * (config.maxQueries() + ReadSettings.DEFAULTS.maxStreams()))
                .mapToObj(i -> reads.run(() -> Uni.createFrom().nothing()).subscribe()
                        .withSubscriber(UniAssertSubscriber.create()))
                .toList();

        // Then
        assertThat(all).allSatisfy(UniAssertSubscriber::assertNotTerminated);
    }
}
