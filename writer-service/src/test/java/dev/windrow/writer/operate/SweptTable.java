package dev.windrow.writer.operate;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

import dev.windrow.dataset.Datasets;
import dev.windrow.local.LocalAws;
import dev.windrow.local.LocalAwsOptions;
import dev.windrow.local.TestClients;
import dev.windrow.local.fault.Fault;
import dev.windrow.local.fault.FaultPlan;
import dev.windrow.local.fault.FaultProxy;
import dev.windrow.writer.table.DatasetRegistry;
import dev.windrow.writer.testing.Items;
import dev.windrow.writer.testing.PlainClients;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** A table for each test, which its commands reach through faults. */
abstract class SweptTable {

    private static int tables;

    @AutoClose
    static LocalAws aws;

    final String table = "swept-" + tables++;
    final Items items = new Items(aws.dynamoDb(), table);
    @AutoClose
    final FaultProxy proxy = FaultProxy.start(aws.dynamoDbEndpoint(), FaultPlan.none());
    @AutoClose
    final DynamoDbAsyncClient client = TestClients.dynamoDbWithoutRetries(proxy.endpoint());
    final PassingTime time = new PassingTime();

    @BeforeAll
    static void startServers() {
        aws = LocalAws.start(LocalAwsOptions.forTests().withoutProvisioning());
    }

    @BeforeEach
    void createTable() {
        aws.createTable(table);
    }

    void register(Datasets datasets) {
        new DatasetRegistry(PlainClients.table(aws.dynamoDb(), table)).enter(datasets, Optional.empty()).await().indefinitely();
    }

    /** From now on, scans fail but for the first one. @return how many there were */
    AtomicInteger failScansAfterTheFirst(Fault fault) {
        AtomicInteger scans = new AtomicInteger();
        FaultPlan plan = request -> scans.incrementAndGet() > 1 ? fault : new Fault.Pass();
        proxy.use(plan.onlyFor("Scan"));
        return scans;
    }

    /** Time that passes in pauses only, at once. */
    static final class PassingTime implements CommandTime {

        private final List<Duration> pauses = new ArrayList<>();
        private Consumer<Duration> during = pause -> {
        };
        private long nanos;

        @Override
        public long nanos() {
            return nanos;
        }

        @Override
        public void pause(Duration duration) {
            if (duration.compareTo(Duration.ZERO) > 0) {
                pauses.add(duration);
                nanos += duration.toNanos();
                during.accept(duration);
            }
        }

        /** Has something happen in each pause from now on. */
        void during(Consumer<Duration> pause) {
            during = pause;
        }

        List<Duration> pauses() {
            return pauses;
        }

        Duration passed() {
            return Duration.ofNanos(nanos);
        }
    }
}
