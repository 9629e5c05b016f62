package dev.windrow.writer.lifecycle;

import java.util.Map;

import dev.windrow.writer.testing.EmbeddedAws;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;

/** The same promises, kept by the journal. */
@QuarkusTest
@QuarkusTestResource(value = EmbeddedAws.class, restrictToAnnotatedClass = false)
class JournalDeliveryTest extends DeliveryContract {

    /** Claims come at certain moments, however young a message is; updates of buckets wait for as long as is set. */
    @Override
    Map<String, String> waitingFourSeconds() {
        return Map.of("windrow.writer.journal.write-every.minute", "4s", "windrow.writer.journal.write-every.hour", "4s",
                "windrow.writer.journal.write-every.day", "4s");
    }

    @Override
    Map<String, String> format() {
        return Map.of("windrow.writer.journal.enabled", "true", "windrow.writer.journal.lease", "2s");
    }
}
