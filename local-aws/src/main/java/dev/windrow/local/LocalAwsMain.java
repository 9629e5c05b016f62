package dev.windrow.local;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.logging.Level;
import java.util.logging.LogManager;

import org.jspecify.annotations.Nullable;

import dev.windrow.provision.QueueSpec;
import dev.windrow.provision.TableSpec;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs {@link LocalAws} until Ctrl-C or SIGTERM. */
@Command(name = "local-aws", sortOptions = false, usageHelpWidth = 120, separator = "=", description = "Runs DynamoDB Local and ElasticMQ, with Windrow's table and queues, for development and tests.", exitCodeListHeading = "%nExit codes:%n", exitCodeList = {
        "1:a server cannot start",
        "2:an option is wrong" }, footer = "%nEach option is also an environment variable: --sqs-port is WINDROW_LOCAL_SQS_PORT. Arguments go first.")
public final class LocalAwsMain implements Callable<Integer> {

    /** The prefix of every environment variable; {@code --sqs-port} is {@code WINDROW_LOCAL_SQS_PORT}. */
    static final String VARIABLE_PREFIX = "WINDROW_LOCAL_";

    private static final int CANNOT_START = 1;
    private static final String DEFAULT = " (default: ${DEFAULT-VALUE})";

    @Option(names = "--host", paramLabel = "ADDRESS", defaultValue = LocalAwsOptions.LOOPBACK, description = "address to"
            + " listen on; 0.0.0.0 for every interface, as in a container" + DEFAULT)
    private String host = "";

    @Option(names = "--dynamodb-port", paramLabel = "PORT", defaultValue = "8000", description = "port of DynamoDB, 0 for any"
            + " free one" + DEFAULT)
    private int dynamoDbPort;

    @Option(names = "--sqs-port", paramLabel = "PORT", defaultValue = "9324", description = "port of SQS, 0 for any free one"
            + DEFAULT)
    private int sqsPort;

    @Option(names = "--folder", description = "folder to keep data in; without it, data is lost at the end")
    private @Nullable Path folder;

    @Option(names = "--table", paramLabel = "NAME", defaultValue = "windrow", description = "table to create" + DEFAULT)
    private String table = "";

    @Option(names = "--queue", paramLabel = "NAME", defaultValue = "windrow-events", description = "queue to create, its dead"
            + " letters go to NAME-dlq" + DEFAULT)
    private String queue = "";

    @Option(names = "--visibility-timeout", paramLabel = "SECONDS", defaultValue = "60", description = "how long a received"
            + " message stays hidden, 0 to 43200" + DEFAULT)
    private int visibilityTimeout;

    @Option(names = "--max-receive-count", paramLabel = "COUNT", defaultValue = "100", description = "receives until a message"
            + " is a dead letter, 1 to 1000" + DEFAULT)
    private int maxReceiveCount;

    @Option(names = "--provision", paramLabel = "true|false", arity = "1", defaultValue = "true", description = "whether to"
            + " create table and queues" + DEFAULT)
    private boolean provision;

    @Option(names = { "-h", "--help" }, usageHelp = true, description = "this text")
    private boolean unusedHelp;

    /** See {@code --help}. */
    public static void main(String[] arguments) {
        int code = commandLine(System.getenv()).execute(arguments);
        // DynamoDB Local leaves threads behind that would keep the JVM alive.
        System.exit(code);
    }

    /** An empty variable counts as not set: Compose passes variables without a value that way. */
    static CommandLine commandLine(Map<String, String> environment) {
        CommandLine command = new CommandLine(new LocalAwsMain());
        command.setDefaultValueProvider(option -> Optional
                .ofNullable(environment.get(variable(((CommandLine.Model.OptionSpec) option).longestName())))
                .filter(value -> !value.isEmpty()).orElse(null));
        command.setParameterExceptionHandler((wrong, arguments) -> {
            System.err.println(wrong.getMessage() + "; see --help");
            return CommandLine.ExitCode.USAGE;
        });
        command.setExecutionExceptionHandler((failure, failed, result) -> {
            System.err.println(failure.getMessage());
            return failure instanceof IllegalArgumentException ? CommandLine.ExitCode.USAGE : CANNOT_START;
        });
        return command;
    }

    private static String variable(String option) {
        return VARIABLE_PREFIX + option.substring("--".length()).toUpperCase(Locale.ROOT).replace('-', '_');
    }

    /** @throws IllegalArgumentException if an option is out of range; the message names it */
    LocalAwsOptions options() {
        return new LocalAwsOptions(host, dynamoDbPort, sqsPort, Optional.ofNullable(folder), TableSpec.named(table),
                QueueSpec.named(queue).withVisibilityTimeout(Duration.ofSeconds(visibilityTimeout))
                        .withMaxReceiveCount(maxReceiveCount),
                provision);
    }

    @Override
    public Integer call() throws InterruptedException {
        LogManager.getLogManager().getLogger("").setLevel(Level.WARNING);
        LocalAwsOptions options = options();
        LocalAws aws = LocalAws.start(options);
        Runtime.getRuntime().addShutdownHook(new Thread(aws::close, "stop"));
        System.out.println(greeting(aws, options));
        // Waits until a signal ends the JVM, which runs the hook.
        Thread.currentThread().join();
        return CommandLine.ExitCode.OK;
    }

    private static String greeting(LocalAws aws, LocalAwsOptions options) {
        String data = options.folder().map(folder -> "kept in " + folder.toAbsolutePath().normalize())
                .orElse("in memory, lost at the end");
        String resources = options.provision() ? """
                Table     %s
                Queue     %s
                Dead      %s
                """.formatted(aws.tableName(), aws.queueUrl(), aws.deadLetterQueueUrl()) : "";
        return """
                DynamoDB  %s
                SQS       %s
                %sData      %s

                With the AWS command line:
                  export AWS_ACCESS_KEY_ID=%s AWS_SECRET_ACCESS_KEY=%s AWS_DEFAULT_REGION=%s
                  aws --endpoint-url %s dynamodb scan --table-name %s
                  aws --endpoint-url %s sqs list-queues

                Ctrl-C stops both.""".formatted(aws.dynamoDbEndpoint(), aws.sqsEndpoint(), resources, data,
                LocalAws.CREDENTIAL, LocalAws.CREDENTIAL, LocalAws.REGION,
                aws.dynamoDbEndpoint(), aws.tableName(), aws.sqsEndpoint());
    }
}
