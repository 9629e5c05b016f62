package dev.windrow.gather.management;

import java.time.Duration;

import jakarta.inject.Singleton;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;

/**
 * Adds histogram buckets to the duration of HTTP requests, so that percentiles can be computed over all pods: percentiles
 * of single pods cannot be combined.
 */
@Singleton
class RequestHistogram implements MeterFilter {

    private static final String REQUESTS = "http.server.requests";
    private static final double[] BUCKETS_MILLIS = { 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000 };

    @Override
    public DistributionStatisticConfig configure(Meter.Id id, DistributionStatisticConfig config) {
        if (!id.getName().equals(REQUESTS)) {
            return config;
        }
        double[] nanos = new double[BUCKETS_MILLIS.length];
        for (int i = 0; i < nanos.length; i++) {
            nanos[i] = BUCKETS_MILLIS[i] * Duration.ofMillis(1).toNanos();
        }
        return DistributionStatisticConfig.builder().serviceLevelObjectives(nanos).build().merge(config);
    }
}
