package dev.windrow.local;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

import dev.windrow.local.LocalAwsOptions.LocalAwsOption;
import dev.windrow.provision.QueueProvisioner.QueueSpec;
import dev.windrow.provision.TableProvisioner.TableSpec;

/** Reads {@link LocalAwsOptions} from command line arguments and, below those, environment variables. */
final class LocalAwsSettings {

    /** What every environment variable begins with; {@code --sqs-port} is {@code WINDROW_LOCAL_SQS_PORT}. */
    static final String VARIABLE_PREFIX = "WINDROW_LOCAL_";

    private static final String ARGUMENT_PREFIX = "--";

    private final Map<String, String> values = new LinkedHashMap<>();
    private final Map<String, String> sources = new LinkedHashMap<>();

    private LocalAwsSettings() {
    }

    /**
     * @throws IllegalArgumentException an option that does not exist or has a wrong value; the message names it
     */
    static LocalAwsOptions read(List<String> arguments, Map<String, String> environment) {
        LocalAwsSettings settings = new LocalAwsSettings();
        settings.readVariables(environment);
        settings.readArguments(arguments);
        return settings.options();
    }

    /** An empty variable counts as not set: Compose passes variables without a value that way. */
    private void readVariables(Map<String, String> environment) {
        environment.forEach((variable, value) -> {
            if (variable.startsWith(VARIABLE_PREFIX) && !value.isEmpty()) {
                String name = variable.substring(VARIABLE_PREFIX.length()).toLowerCase(Locale.ROOT).replace('_', '-');
                put(name, value, variable);
            }
        });
    }

    private void readArguments(List<String> arguments) {
        for (String argument : arguments) {
            int equals = argument.indexOf('=');
            if (!argument.startsWith(ARGUMENT_PREFIX) || equals < 0 || equals == argument.length() - 1) {
                throw new IllegalArgumentException(argument + ": expected an option such as --sqs-port=9324; see --help");
            }
            String name = argument.substring(ARGUMENT_PREFIX.length(), equals);
            put(name, argument.substring(equals + 1), argument.substring(0, equals));
        }
    }

    private void put(String name, String value, String source) {
        if (LocalAwsOption.named(name).isEmpty()) {
            throw new IllegalArgumentException(source + ": no such option; see --help");
        }
        values.put(name, value);
        sources.put(name, source);
    }

    private LocalAwsOptions options() {
        LocalAwsOptions defaults = LocalAwsOptions.forPeople();
        QueueSpec queue = value(LocalAwsOption.QUEUE).map(QueueSpec::named).orElse(defaults.queue());
        return new LocalAwsOptions(
                value(LocalAwsOption.HOST).orElse(defaults.host()),
                number(LocalAwsOption.DYNAMODB_PORT, defaults.dynamoDbPort()),
                number(LocalAwsOption.SQS_PORT, defaults.sqsPort()),
                value(LocalAwsOption.FOLDER).map(Path::of),
                value(LocalAwsOption.TABLE).map(TableSpec::named).orElse(defaults.table()),
                queue.withVisibilityTimeout(Duration.ofSeconds(
                        number(LocalAwsOption.VISIBILITY_TIMEOUT, (int) queue.visibilityTimeout().toSeconds())))
                        .withMaxReceiveCount(number(LocalAwsOption.MAX_RECEIVE_COUNT, queue.maxReceiveCount())),
                flag(LocalAwsOption.PROVISION, defaults.provision()));
    }

    private int number(LocalAwsOption option, int otherwise) {
        return value(option).map(text -> {
            try {
                return Integer.parseInt(text);
            } catch (NumberFormatException failure) {
                throw new IllegalArgumentException(source(option) + ": expected a whole number, found '" + text + "'");
            }
        }).orElse(otherwise);
    }

    private boolean flag(LocalAwsOption option, boolean otherwise) {
        return value(option).map(text -> switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException(source(option) + ": expected true or false, found '" + text + "'");
        }).orElse(otherwise);
    }

    private Optional<String> value(LocalAwsOption option) {
        return Optional.ofNullable(values.get(option.word()));
    }

    private String source(LocalAwsOption option) {
        return sources.getOrDefault(option.word(), option.word());
    }
}
