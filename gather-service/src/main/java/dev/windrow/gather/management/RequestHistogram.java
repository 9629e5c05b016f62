package dev.windrow.gather.management;

import java.time.Duration;

import jakarta.inject.Singleton;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;

/**
 * Gives the time of HTTP requests buckets, so that percentiles can be computed over all pods: a percentile of each pod
 * cannot be added up.
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
