package dev.windrow.gather.model;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Alternative;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

import io.quarkus.test.junit.QuarkusTestProfile;

/** The service with the datasets that have retention, and a clock that only the tests advance. */
public class ForgetfulProfile implements QuarkusTestProfile {

    /** Early enough that most events have not expired. */
    public static final Instant BEGIN = GeneratedDatasets.FROM.plus(Duration.ofDays(3));

    public static final AtomicReference<Instant> NOW = new AtomicReference<>(BEGIN);

    @Override
    public List<TestResourceEntry> testResources() {
        return List.of(new TestResourceEntry(GeneratedTable.class, Map.of(GeneratedTable.FORGETFUL, "")));
    }

    @Override
    public boolean disableGlobalTestResources() {
        return true;
    }

    @Override
    public Set<Class<?>> getEnabledAlternatives() {
        return Set.of(MovedClock.class);
    }

    @Alternative
    @ApplicationScoped
    static class MovedClock {

        @Produces
        @Singleton
        Clock clock() {
            return ((InstantSource) NOW::get).withZone(ZoneOffset.UTC);
        }
    }
}
