package dev.windrow.gather.packaged;

import java.util.List;

import io.quarkus.test.junit.QuarkusTestProfile;

/** Starts only its own table, with a web identity as the only credentials, and nothing of other tests. */
public class PackagedProfile implements QuarkusTestProfile {

    @Override
    public boolean disableGlobalTestResources() {
        return true;
    }

    @Override
    public List<TestResourceEntry> testResources() {
        return List.of(new TestResourceEntry(PackagedTable.class));
    }
}
