package dev.windrow.writer.testing;

import java.util.List;
import java.util.Map;

import dev.windrow.writer.journal.JournalMessage;
import dev.windrow.writer.record.ClaimUnit;

/** A message of no queue. */
public class TestMessage implements JournalMessage {

    private final List<ClaimUnit> units;
    private final Map<String, String> attributes;

    public TestMessage(List<ClaimUnit> units) {
        this(units, Map.of());
    }

    public TestMessage(List<ClaimUnit> units, Map<String, String> attributes) {
        this.units = List.copyOf(units);
        this.attributes = attributes;
    }

    @Override
    public List<ClaimUnit> units() {
        return units;
    }

    @Override
    public Map<String, String> attributes() {
        return attributes;
    }

    @Override
    public void claimed() {
        // Nothing is limited here.
    }

    @Override
    public void refused(String detail) {
        throw new AssertionError("expected messages that can be claimed, found " + detail);
    }

    @Override
    public void delete() {
        // Whoever made it looks at the requests.
    }
}
