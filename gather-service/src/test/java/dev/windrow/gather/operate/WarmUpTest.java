package dev.windrow.gather.operate;

import static org.assertj.core.api.Assertions.assertThat;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.windrow.gather.testing.FaultyTable;
import dev.windrow.gather.testing.ManagementPort;
import dev.windrow.local.fault.DynamoDbFaults;
import dev.windrow.local.fault.FaultPlan;
import dev.windrow.local.fault.FaultProxy;
import dev.windrow.testing.Patience;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;

/** A gatherer whose table exists, but does not answer any query yet. */
@QuarkusTest
@QuarkusTestResource(value = WarmUpTest.ColdTable.class, restrictToAnnotatedClass = true)
@Tag("slow")
class WarmUpTest {

    FaultProxy proxy;

    /** Denies everything from the start. */
    public static class ColdTable extends FaultyTable {
        @Override
        protected FaultPlan plan() {
            return FaultPlan.always(DynamoDbFaults.accessDenied());
        }
    }

    @Test
    void theGathererIsReadyOnceAGatherWasAnsweredIfOnlyByADenial() {
        // Given a role without permissions, and then a table that answers no query
        Awaitility.await().atMost(Patience.LIMIT).until(() -> proxy.audit().requests("Query") > 0);
        assertThat(status("warm-up")).isEqualTo("DOWN");
        proxy.use(FaultPlan.always(DynamoDbFaults.internalServerError()).onlyFor("Query"));
        assertThat(status("table")).isEqualTo("UP");
        assertThat(status("warm-up")).isEqualTo("DOWN");
        assertThat(ManagementPort.get("/q/health/live").statusCode()).isEqualTo(200);
        assertThat(ManagementPort.get("/q/metrics").asString()).contains("windrow_gather_ready 0.0");

        // When
        proxy.use(FaultPlan.always(DynamoDbFaults.accessDenied()).onlyFor("Query"));

        // Then
        Awaitility.await().atMost(Patience.LIMIT).untilAsserted(() -> assertThat(status("warm-up")).isEqualTo("UP"));
        assertThat(ManagementPort.isReady()).isTrue();
        assertThat(ManagementPort.get("/q/metrics").asString()).contains("windrow_gather_ready 1.0");
        assertThat(proxy.audit().requests("Query")).isGreaterThanOrEqualTo(100);
    }

    private static String status(String check) {
        return ManagementPort.get("/q/health/ready").jsonPath().getString("checks.find { it.name == '" + check + "' }.status");
    }
}
