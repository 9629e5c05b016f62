package dev.windrow.gather.management;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.windrow.gather.testing.FaultyTable;
import dev.windrow.local.fault.DynamoDbFaults;
import dev.windrow.local.fault.FaultPlan;
import dev.windrow.local.fault.FaultProxy;
import dev.windrow.testing.Patience;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;

/** A gatherer whose table is there, but does not answer a single query yet. */
@QuarkusTest
@QuarkusTestResource(value = WarmUpTest.ColdTable.class, restrictToAnnotatedClass = true)
@Tag("slow")
class WarmUpTest {

    FaultProxy proxy;

    /** Fails queries from the start. */
    public static class ColdTable extends FaultyTable {
        @Override
        protected FaultPlan plan() {
            return FaultPlan.always(DynamoDbFaults.internalServerError()).onlyFor("Query");
        }
    }

    @Test
    void theGathererIsReadyOnceAGatherWasAnsweredIfOnlyByADenial() {
        assertThat(status("table")).isEqualTo("UP");
        assertThat(status("warm-up")).isEqualTo("DOWN");
        assertThat(given().get("/q/health/live").statusCode()).isEqualTo(200);
        assertThat(given().get("/q/metrics").asString()).contains("windrow_gather_ready 0.0");

        proxy.use(FaultPlan.always(DynamoDbFaults.accessDenied()).onlyFor("Query"));

        Awaitility.await().atMost(Patience.LIMIT).untilAsserted(() -> assertThat(status("warm-up")).isEqualTo("UP"));
        assertThat(given().get("/q/health/ready").statusCode()).isEqualTo(200);
        assertThat(given().get("/q/metrics").asString()).contains("windrow_gather_ready 1.0");
        assertThat(proxy.audit().requests("Query")).isGreaterThanOrEqualTo(100);
    }

    private static String status(String check) {
        return given().get("/q/health/ready").jsonPath().getString("checks.find { it.name == '" + check + "' }.status");
    }
}
