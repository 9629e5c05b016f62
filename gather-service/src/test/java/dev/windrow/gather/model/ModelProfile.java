package dev.windrow.gather.model;

import java.util.List;
import java.util.Map;

import io.quarkus.test.junit.QuarkusTestProfile;

/** The service with the generated world behind a faulty table; all tests with this profile share one start. */
public class ModelProfile implements QuarkusTestProfile {

    @Override
    public List<TestResourceEntry> testResources() {
        return List.of(new TestResourceEntry(GeneratedTable.class));
    }

    /** The embedded DynamoDB tells each request. */
    @Override
    public Map<String, String> getConfigOverrides() {
        return Map.of("quarkus.log.category.\"com.amazonaws\".level", "WARN");
    }

    @Override
    public boolean disableGlobalTestResources() {
        return true;
    }
}
