package dev.windrow.writer.command;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

import dev.windrow.base.SettingRange;
import dev.windrow.dataset.DatasetsYaml;
import dev.windrow.provision.QueueSpec;
import dev.windrow.table.TableSchema;
import io.quarkus.runtime.configuration.DurationConverter;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;

/** The settings of commands, under the same names and with the same defaults as the writer's. */
final class CommandSettings {

    static final String TABLE = "windrow.table";
    static final String QUEUE = "windrow.writer.queue";
    static final String DEAD_LETTER_QUEUE = "windrow.writer.dead-letter-queue";
    private static final String DATASETS_FILE = "windrow.datasets-file";
    private static final String CHECK_GATHER = "windrow.check.gather";
    private static final String GATHER_ADDRESS = "the gatherer's address, such as http://localhost:8080";
    private static final Set<String> HTTP = Set.of("http", "https");
    /** Above that of the built-in converter, which takes ISO 8601 only. */
    private static final int DURATION_PRIORITY = 200;

    private final SmallRyeConfig config;

    private CommandSettings(SmallRyeConfig config) {
        this.config = config;
    }

    /** From the same sources as the service's, and with durations in the same form. */
    static CommandSettings ofEnvironment() {
        return new CommandSettings(new SmallRyeConfigBuilder().addDefaultSources().addDefaultInterceptors()
                .withConverter(Duration.class, DURATION_PRIORITY, new DurationConverter())
                .withMapping(ProvisionConfig.class).withMapping(RankConfig.class).withMapping(CheckConfig.class).build());
    }

    String table() {
        return text(TABLE).orElse(TableSchema.TABLE);
    }

    String queue() {
        return text(QUEUE).orElse(QueueSpec.QUEUE);
    }

    String deadLetterQueue() {
        return text(DEAD_LETTER_QUEUE).orElseGet(() -> QueueSpec.deadLetterQueue(queue()));
    }

    Path datasetsFile() {
        return Path.of(required(DATASETS_FILE, text(DATASETS_FILE), "the file that declares the datasets"));
    }

    /** The measures of leaderboards: those that are listed, and those that the file declares, if there is one. */
    Set<String> rankedMeasures() {
        Set<String> measures = new TreeSet<>();
        config.getConfigMapping(ProvisionConfig.class).rankedMeasures().ifPresent(
                list -> list.stream().map(String::strip).filter(measure -> !measure.isEmpty()).forEach(measures::add));
        text(DATASETS_FILE).ifPresent(file -> measures.addAll(DatasetsYaml.read(Path.of(file)).rankedMeasures()));
        return measures;
    }

    /** Read and write units a second that completing leaderboards may take. */
    double rankUnits() {
        double units = config.getConfigMapping(RankConfig.class).maxUnits();
        if (!(units > 0)) {
            throw new IllegalArgumentException("windrow.rank.max-units: expected more than 0, found " + units);
        }
        return units;
    }

    /** The dataset to check with. */
    Optional<String> checkDataset() {
        return check().dataset();
    }

    /** Where the gatherer is. */
    URI checkGather() {
        return address(CHECK_GATHER, required(CHECK_GATHER, check().gather(), GATHER_ADDRESS), GATHER_ADDRESS);
    }

    /** The gatherer's API key, without the line break that a file or Secret may end with. */
    Optional<String> checkApiKey() {
        Optional<String> key = check().apiKey().map(String::strip);
        if (key.isPresent() && key.get().chars().anyMatch(Character::isISOControl)) {
            // Not quoted, and found before the HTTP client would quote it.
            throw new IllegalArgumentException("windrow.check.api-key: expected a key on one line, without control characters");
        }
        return key;
    }

    /** How long events may take from the queue to the gatherer's answer. */
    Duration checkTimeout() {
        Duration timeout = check().timeout();
        SettingRange.positive("windrow.check.timeout", timeout);
        return timeout;
    }

    private CheckConfig check() {
        return config.getConfigMapping(CheckConfig.class);
    }

    /** A service's endpoint, if it is not the SDK's default. */
    Optional<URI> endpoint(String service) {
        String name = "quarkus." + service + ".endpoint-override";
        return text(name).map(value -> address(name, value, "an endpoint's address, such as http://localhost:8000"));
    }

    /** A PEM file of certificate authorities to be trusted besides the platform's. */
    Optional<Path> caBundle() {
        return text("windrow.aws.ca-bundle").or(() -> text("AWS_CA_BUNDLE")).map(Path::of);
    }

    private static URI address(String name, String value, String meaning) {
        try {
            URI address = new URI(value.strip());
            if (address.getHost() != null && address.getScheme() != null
                    && HTTP.contains(address.getScheme().toLowerCase(Locale.ROOT))) {
                return address;
            }
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(name + ": expected " + meaning + ", found '" + value + "'", e);
        }
        throw new IllegalArgumentException(name + ": expected " + meaning + ", found '" + value + "'");
    }

    private static String required(String name, Optional<String> value, String meaning) {
        return value.orElseThrow(() -> new IllegalArgumentException(name + ": expected " + meaning + ", found nothing"));
    }

    private Optional<String> text(String name) {
        return config.getOptionalValue(name, String.class);
    }
}
