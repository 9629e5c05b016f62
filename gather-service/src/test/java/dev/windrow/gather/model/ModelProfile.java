package dev.windrow.gather.model;

import java.util.List;

import io.quarkus.test.junit.QuarkusTestProfile;

/** The service with the generated world behind a faulty table; all tests with this profile share one start. */
public class ModelProfile implements QuarkusTestProfile {

    @Override
    public List<TestResourceEntry> testResources() {
        return List.of(new TestResourceEntry(GeneratedTable.class));
    }

    @Override
    public boolean disableGlobalTestResources() {
        return true;
    }
}
