package dev.windrow.gather.packaged;

import java.util.List;

import io.quarkus.test.junit.QuarkusTestProfile;

/** Only its own table, and no credentials but a web identity: nothing that other tests start. */
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
