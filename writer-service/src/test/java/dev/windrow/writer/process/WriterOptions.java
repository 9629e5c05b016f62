package dev.windrow.writer.process;

import java.util.Map;
import java.util.TreeMap;

/**
 * How a writer process is started.
 *
 * @param name names its log file
 * @param heapMegabytes maximum heap; it exits at the first allocation that fails
 * @param properties system properties, which is where its settings come from
 * @param environment added to the test's environment
 */
record WriterOptions(String name, int heapMegabytes, Map<String, String> properties, Map<String, String> environment) {

    /** Enough to run, and too little to hold a queue. */
    static final int HEAP_MEGABYTES = 128;

    WriterOptions {
        properties = Map.copyOf(properties);
        environment = Map.copyOf(environment);
    }

    static WriterOptions named(String name) {
        // Tests look at coarse buckets right after the events.
        return new WriterOptions(name, HEAP_MEGABYTES, Map.of("windrow.writer.journal.write-every.day", "1s"), Map.of());
    }

    WriterOptions withName(String other) {
        return new WriterOptions(other, heapMegabytes, properties, environment);
    }

    WriterOptions withHeap(int megabytes) {
        return new WriterOptions(name, megabytes, properties, environment);
    }

    WriterOptions with(String property, Object value) {
        return new WriterOptions(name, heapMegabytes, plus(properties, property, value.toString()), environment);
    }

    WriterOptions without(String prefix) {
        Map<String, String> fewer = new TreeMap<>(properties);
        fewer.keySet().removeIf(property -> property.startsWith(prefix));
        return new WriterOptions(name, heapMegabytes, fewer, environment);
    }

    WriterOptions withEnvironment(String variable, String value) {
        return new WriterOptions(name, heapMegabytes, properties, plus(environment, variable, value));
    }

    private static Map<String, String> plus(Map<String, String> map, String key, String value) {
        Map<String, String> more = new TreeMap<>(map);
        more.put(key, value);
        return more;
    }
}
