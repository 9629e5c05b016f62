package dev.windrow.writer.operate;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;

import dev.windrow.aws.NetworkSettings;
import dev.windrow.aws.SdkHttp;
import dev.windrow.base.SettingRanges;
import dev.windrow.dataset.DatasetsYaml;
import dev.windrow.provision.QueueProvisioner;
import dev.windrow.provision.QueueProvisioner.ProvisionedQueues;
import dev.windrow.provision.QueueProvisioner.QueueSpec;
import dev.windrow.provision.TableProvisioner;
import dev.windrow.provision.TableProvisioner.TableSpec;
import dev.windrow.provision.TableProvisioner.WaiterPolicy;
import dev.windrow.table.TableSchema;
import dev.windrow.writer.WriterService;
import dev.windrow.writer.operate.Check.CheckConfig;
import dev.windrow.writer.operate.TableSweep.SweepConfig;
import dev.windrow.writer.operate.WriterMain.CommandSettings;
import dev.windrow.writer.operate.WriterMain.Provision.ProvisionConfig;
import io.quarkus.runtime.LaunchMode;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.annotations.QuarkusMain;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.quarkus.runtime.configuration.DurationConverter;
import io.quarkus.runtime.util.ExceptionUtil;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.ConfigValidationException;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.regions.providers.DefaultAwsRegionProviderChain;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;

/**
 * Entry point. Without arguments it runs the writer until SIGTERM. With the name of a command it runs the command and exits
 * with code 0, or 1 if the command failed, or 2 for an unknown command or unexpected arguments.
 */
@QuarkusMain
public final class WriterMain {

    private static final int FAILED = 1;
    private static final int WRONG_USE = 2;
    private static final String ERASE = "erase";
    private static final List<String> COMMANDS = List.of("provision", "rank", "check", ERASE, "expire");

    private WriterMain() {
    }

    public static void main(String... arguments) {
        if (arguments.length == 0) {
            if (LaunchMode.current() == LaunchMode.NORMAL) {
                Quarkus.run(null, WriterMain::end, arguments);
            } else {
                Quarkus.run(arguments);
            }
            return;
        }
        System.exit(run(List.of(arguments)));
    }

    private static void end(int code, @Nullable Throwable failure) {
        // Logging has stopped by now. Kubernetes shows the last lines as the pod's termination message.
        WriterService.refusal().ifPresent(System.err::println);
        if (failure != null) {
            // Quarkus leaves it to this handler to print why the application did not start.
            System.err.println(notStarted(failure));
        }
        System.exit(code);
    }

    /** Returns one line if an operator can correct the problem, otherwise the stack trace and then the line. */
    private static String notStarted(Throwable failure) {
        Throwable cause = ExceptionUtil.getRootCause(failure);
        String line = "not started: " + message(cause).strip().replaceAll("\\s*\\R\\s*", " ");
        return cause instanceof ConfigurationException || cause instanceof ConfigValidationException ? line
                : ExceptionUtil.generateStackTrace(failure) + line;
    }

    private static int run(List<String> arguments) {
        String command = arguments.get(0);
        List<String> further = arguments.subList(1, arguments.size());
        if (!COMMANDS.contains(command) || (!further.isEmpty() && !command.equals(ERASE))) {
            System.err.println("unknown arguments " + arguments + ": give none (to run the writer) or one of " + COMMANDS
                    + ", of which only " + ERASE + " has arguments of its own");
            return WRONG_USE;
        }
        try {
            // Commands run without Quarkus: starting it would start the flow.
            CommandSettings settings = CommandSettings.ofEnvironment();
            System.out.println(switch (command) {
                case "provision" -> Provision.run(settings);
                case "rank" -> RankCommand.run(settings);
                case "check" -> Check.run(settings);
                case ERASE -> Erase.run(settings, further);
                default -> Expire.run(settings);
            });
            return 0;
        } catch (RuntimeException failure) {
            System.err.println(command + " failed: " + message(failure));
            return FAILED;
        }
    }

    private static String message(Throwable failure) {
        String message = failure.getMessage();
        return message == null ? failure.toString() : message;
    }

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

    /** Creates the table, indexes, expiry and queues that are missing; idempotent. */
    static final class Provision {

        private Provision() {
        }

        /** @throws IllegalArgumentException if a name or the URL of a queue is wrong; the message names the setting */
        static String run(CommandSettings settings) {
            TableSpec.requireName(CommandSettings.TABLE, settings.table());
            QueueSpec.requireName(CommandSettings.QUEUE, settings.queue());
            QueueSpec.requireName(CommandSettings.DEAD_LETTER_QUEUE, settings.deadLetterQueue());
            TableSpec table = new TableSpec(settings.table(), settings.rankedMeasures());
            QueueSpec queue = QueueSpec.named(settings.queue()).withDeadLetterName(settings.deadLetterQueue());
            try (DynamoDbAsyncClient dynamoDb = settings.dynamoDb();
                    SqsAsyncClient sqs = settings.sqs()) {
                TableProvisioner.Outcome outcome = new TableProvisioner(dynamoDb, WaiterPolicy.defaults()).provision(table);
                ProvisionedQueues queues = new QueueProvisioner(sqs).provision(queue);
                return "table %s: %s%nqueue: %s%ndead-letter queue: %s".formatted(table.name(),
                        outcome.name().toLowerCase(Locale.ROOT), queues.url(), queues.deadLetterUrl());
            }
        }

        /** Settings of the command {@code provision}. */
        @ConfigMapping(prefix = "windrow.provision")
        public interface ProvisionConfig {

            /**
             * Measures that get an index for leaderboards, besides those that the datasets file, if there is one, declares.
             *
             * @return names of measures, 19 at most
             */
            Optional<List<String>> rankedMeasures();
        }
    }
}
