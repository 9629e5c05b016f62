package dev.windrow.writer.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import dev.windrow.writer.testing.WriterProgram;

/**
 * How a writer process is started.
 *
 * @param heapMegabytes maximum heap; it exits at the first allocation that fails
 * @param properties system properties, which is where its settings come from
 * @param environment added to the test's environment
 */
record WriterOptions(String name, int heapMegabytes, Map<String, String> properties, Map<String, String> environment) {

    /** Enough to run, and too little to hold a queue. */
    private static final int HEAP_MEGABYTES = 128;

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

    Process command(URI dynamoDb, String... arguments) {
        ProcessBuilder builder = new ProcessBuilder(WriterProgram.built().command(List.of("-XX:TieredStopAtLevel=1"),
                plus(properties, "quarkus.dynamodb.endpoint-override", dynamoDb.toString()), List.of(arguments)))
                .redirectErrorStream(true);
        builder.environment().putAll(Map.of("LC_ALL", "C.UTF-8", "AWS_REGION", "eu-central-1", "AWS_ACCESS_KEY_ID", "windrow",
                "AWS_SECRET_ACCESS_KEY", "local"));
        try {
            return builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<String, String> plus(Map<String, String> map, String key, String value) {
        Map<String, String> more = new TreeMap<>(map);
        more.put(key, value);
        return more;
    }
}
