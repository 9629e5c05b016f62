package dev.windrow.docs;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The configuration reference: all keys of both services and of the commands, from their sources. */
final class ConfigurationPage {

    private static final String INTRODUCTION = """
            # Configuration

            <!-- Generated from the @ConfigMapping interfaces; CONTRIBUTING.md says how. -->

            Every key of both services and of the commands. A key is set by a system property (`-Dkey=value`), an environment variable or the file `config/application.properties` in the working directory; the first of these that has it wins. In the chart, `writer.config` and `gather.config` hold keys.

            - **Keys.** `windrow.*` is read by both services, `windrow.writer.*` by the writer, `windrow.gather.*` by the gatherer; the writer's commands read those of both services, `windrow.writer.queue`, `windrow.writer.dead-letter-queue`, `windrow.writer.journal.retention` and their own (`windrow.provision.*`, `windrow.check.*`, `windrow.sweep.*`), but not `windrow.writer.queues`.
            - **Durations** are a number and a unit: `50ms`, `30s`, `2m`, `1h`, `15d`. ISO 8601 (`PT30S`) is accepted too.
            - **Sizes** are bytes, with `K`, `M` or `G` for powers of 1,024: `32M`.
            - **required** means that there is no default: the service does not start without a value.

            Ports, TLS, logging, tracing and the like are Quarkus' own keys (`quarkus.*`); region, credentials and endpoints of AWS come from the environment, as for any AWS client. See [operations](operations.md).
            """;

    private static final List<String> COMMANDS = List.of("windrow.provision.", "windrow.check.", "windrow.sweep.");

    private ConfigurationPage() {
    }

    static String of(Path root) {
        List<ConfigurationKey> writer = new ArrayList<>(ConfigMappingSources.keys(root, "writer-service"));
        List<ConfigurationKey> gather = new ArrayList<>(ConfigMappingSources.keys(root, "gather", "gather-service"));
        List<ConfigurationKey> both = writer.stream().filter(gather::contains).toList();
        writer.removeAll(both);
        gather.removeAll(both);
        List<ConfigurationKey> commands = writer.stream()
                .filter(key -> COMMANDS.stream().anyMatch(prefix -> key.name().startsWith(prefix))).toList();
        writer.removeAll(commands);
        requirePrefix(both, "windrow.");
        requirePrefix(writer, "windrow.writer.");
        requirePrefix(gather, "windrow.gather.");
        return INTRODUCTION + section("Both services", both) + section("Writer", writer) + section("Gatherer", gather)
                + section("Commands of the writer's image", commands);
    }

    private static void requirePrefix(List<ConfigurationKey> keys, String prefix) {
        for (ConfigurationKey key : keys) {
            if (!key.name().startsWith(prefix)) {
                throw new AssertionError(key.name() + ": expected the prefix " + prefix
                        + ", or the same declaration in both services");
            }
        }
    }

    private static String section(String title, List<ConfigurationKey> keys) {
        StringBuilder section = new StringBuilder("\n## " + title
                + "\n\n| key, environment variable | meaning | type | default | unit and range |\n|---|---|---|---|---|\n");
        keys.forEach(key -> section.append(key.row()));
        return section.toString();
    }
}
