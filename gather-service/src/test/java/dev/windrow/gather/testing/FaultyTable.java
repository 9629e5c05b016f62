package dev.windrow.gather.testing;

import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.windrow.local.LocalAws;
import dev.windrow.local.LocalAwsOptions;
import dev.windrow.local.fault.FaultPlan;
import dev.windrow.local.fault.FaultProxy;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;

/** Starts the embedded DynamoDB behind a proxy that injects faults, for a service with small limits. */
public class FaultyTable implements QuarkusTestResourceLifecycleManager {

    private @Nullable LocalAws localAws;
    private @Nullable FaultProxy proxy;

    @Override
    public Map<String, String> start() {
        LocalAws started = startTable();
        localAws = started;
        FaultProxy faults = FaultProxy.start(started.dynamoDbEndpoint(), plan());
        proxy = faults;
        Map<String, String> settings = new HashMap<>(EmbeddedTable.settings(faults.endpoint()));
        settings.putAll(bounds());
        return settings;
    }

    protected LocalAws startTable() {
        return LocalAws.start(LocalAwsOptions.forTests());
    }

    /** Settings of the service, apart from the table's address. */
    protected Map<String, String> bounds() {
        return Map.of(
                "windrow.gather.fanout.max-queries", "4",
                "windrow.gather.fanout.max-queued-queries", "2",
                "test.slow-client-timeout", "1S",
                "quarkus.cache.enabled", "false",
                "windrow.gather.fanout.hedging.enabled", "false",
                // The breaker must not open, so that one test's faults do not fail the next test.
                "test.breaker-reads", "100000");
    }

    protected FaultPlan plan() {
        return FaultPlan.none();
    }

    /** Starts after the table without faults that every test of a service gets, because the last settings win. */
    @Override
    public int order() {
        return 1;
    }

    @Override
    public void inject(TestInjector injector) {
        injector.injectIntoFields(proxy, new TestInjector.MatchesType(FaultProxy.class));
        injector.injectIntoFields(localAws, new TestInjector.MatchesType(LocalAws.class));
    }

    @Override
    public void stop() {
        if (proxy != null) {
            proxy.close();
        }
        if (localAws != null) {
            localAws.close();
        }
    }
}
