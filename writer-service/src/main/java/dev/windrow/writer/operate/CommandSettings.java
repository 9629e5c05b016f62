package dev.windrow.writer.operate;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

import dev.windrow.aws.NetworkSettings;
import dev.windrow.aws.SdkHttp;
import dev.windrow.base.SettingRanges;
import dev.windrow.dataset.DatasetsYaml;
import dev.windrow.provision.QueueSpec;
import dev.windrow.table.TableSchema;
import io.quarkus.runtime.configuration.DurationConverter;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.regions.providers.DefaultAwsRegionProviderChain;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;

/** The settings of commands, under the same names and with the same defaults as the writer's. */
record CommandSettings(SmallRyeConfig config) {

    static final String TABLE = "windrow.table";
    static final String QUEUE = "windrow.writer.queue";
    static final String DEAD_LETTER_QUEUE = "windrow.writer.dead-letter-queue";
    static final String JOURNAL_RETENTION = "windrow.writer.journal.retention";
    private static final String DATASETS_FILE = "windrow.datasets-file";
    private static final String CHECK_GATHER = "windrow.check.gather";
    private static final String GATHER_ADDRESS = "the gatherer's address, such as http://localhost:8080";
    private static final Set<String> HTTP = Set.of("http", "https");
    /** Above that of the built-in converter, which accepts only ISO 8601. */
    private static final int DURATION_PRIORITY = 200;

    /** Reads settings from the same sources as the service, with durations in the same form. */
    static CommandSettings ofEnvironment() {
        return new CommandSettings(new SmallRyeConfigBuilder().addDefaultSources().addDefaultInterceptors()
                .withConverter(Duration.class, DURATION_PRIORITY, new DurationConverter())
                .withMapping(ProvisionConfig.class).withMapping(SweepConfig.class).withMapping(CheckConfig.class)
                .build());
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

    /** Returns the measures of leaderboards: those listed, and those declared in the datasets file, if there is one. */
    Set<String> rankedMeasures() {
        Set<String> measures = new TreeSet<>();
        config.getConfigMapping(ProvisionConfig.class).rankedMeasures().ifPresent(
                list -> list.stream().map(String::strip).filter(measure -> !measure.isEmpty()).forEach(measures::add));
        text(DATASETS_FILE).ifPresent(file -> measures.addAll(DatasetsYaml.read(Path.of(file)).rankedMeasures()));
        return measures;
    }

    /** Returns the settings of a command after checking their ranges. */
    <C> C checked(Class<C> mapping) {
        SettingRanges.check(config, mapping);
        return config.getConfigMapping(mapping);
    }

    /** Returns how long the writer's journal recognizes redeliveries. */
    Duration journalRetention() {
        return config.getOptionalValue(JOURNAL_RETENTION, Duration.class).orElse(Duration.ofDays(15));
    }

    URI checkGather() {
        return address(CHECK_GATHER, required(CHECK_GATHER, check().gather(), GATHER_ADDRESS), GATHER_ADDRESS);
    }

    /** Returns the gatherer's API key, without the line break that a file or Secret may end with. */
    Optional<String> checkApiKey() {
        Optional<String> key = check().apiKey().map(String::strip);
        if (key.isPresent() && key.get().chars().anyMatch(Character::isISOControl)) {
            // Does not quote the key, and checks it before the HTTP client, which would quote it.
            throw new IllegalArgumentException(
                    "windrow.check.api-key: expected a key on one line, without control characters");
        }
        return key;
    }

    private CheckConfig check() {
        return config.getConfigMapping(CheckConfig.class);
    }

    /** Creates a client with credentials of the SDK's default chain. */
    DynamoDbAsyncClient dynamoDb() {
        Optional<URI> endpoint = endpoint("dynamodb");
        return DynamoDbAsyncClient.builder().region(region("dynamodb"))
                .httpClientBuilder(SdkHttp.async(network(), endpoint))
                .applyMutation(builder -> endpoint.ifPresent(builder::endpointOverride)).build();
    }

    /** Creates a client with credentials of the SDK's default chain. */
    SqsAsyncClient sqs() {
        Optional<URI> endpoint = endpoint("sqs");
        return SqsAsyncClient.builder().region(region("sqs")).httpClientBuilder(SdkHttp.async(network(), endpoint))
                .applyMutation(builder -> endpoint.ifPresent(builder::endpointOverride)).build();
    }

    /** Returns the region that the services' setting names, or else that of the SDK's default chain. */
    Region region(String service) {
        String name = "quarkus." + service + ".aws.region";
        Optional<String> declared = text(name);
        if (declared.isPresent()) {
            return Region.of(declared.get().strip());
        }
        try {
            return new DefaultAwsRegionProviderChain().getRegion();
        } catch (SdkClientException none) {
            throw new IllegalArgumentException("AWS_REGION: expected the region of table and queues, such as eu-central-1, "
                    + "in this variable or in " + name + ", found nothing", none);
        }
    }

    private NetworkSettings network() {
        return NetworkSettings.ofProcess(name -> Optional.ofNullable(System.getenv(name)), caBundle());
    }

    /** Returns a service's endpoint if it is not the SDK's default. */
    Optional<URI> endpoint(String service) {
        String name = "quarkus." + service + ".endpoint-override";
        return text(name).map(value -> address(name, value, "an endpoint's address, such as http://localhost:8000"));
    }

    /** Returns the PEM file of certificate authorities to trust in addition to the platform's. */
    Optional<Path> caBundle() {
        return text("windrow.aws.ca-bundle").or(() -> text("AWS_CA_BUNDLE")).map(Path::of);
    }

    private static URI address(String name, String value, String meaning) {
        try {
            URI address = URI.create(value.strip());
            if (address.getHost() != null && address.getScheme() != null
                    && HTTP.contains(address.getScheme().toLowerCase(Locale.ROOT))) {
                return address;
            }
        } catch (IllegalArgumentException noAddress) {
            // Rejected below, like an address without scheme or host.
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
