package dev.windrow.writer.lifecycle;

import java.util.Map;

import dev.windrow.writer.testing.EmbeddedAws;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;

/** What writers promise, kept by the ledger. */
@QuarkusTest
@QuarkusTestResource(value = EmbeddedAws.class, restrictToAnnotatedClass = false)
class DeliveryTest extends DeliveryContract {

    @Override
    Map<String, String> format() {
        return Map.of();
    }
}
