package dev.windrow.writer.packaged;

import java.util.List;

import io.quarkus.test.junit.QuarkusTestProfile;

/** Only its own queue and table, and no credentials but a web identity: nothing that other tests start. */
public class PackagedProfile implements QuarkusTestProfile {

    @Override
    public boolean disableGlobalTestResources() {
        return true;
    }

    @Override
    public List<TestResourceEntry> testResources() {
        return List.of(new TestResourceEntry(PackagedAws.class));
    }
}
