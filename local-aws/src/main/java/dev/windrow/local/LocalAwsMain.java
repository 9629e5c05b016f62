package dev.windrow.local;

import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.stream.Collectors;

import dev.windrow.local.LocalAwsOptions.LocalAwsOption;

/** Runs {@link LocalAws} until Ctrl-C or SIGTERM. */
public final class LocalAwsMain {

    /** Exit codes: of a wrong option, and of servers that cannot start. */
    private static final int WRONG_USE = 2;
    private static final int CANNOT_START = 1;

    private LocalAwsMain() {
    }

    /** See {@code --help}. */
    public static void main(String[] arguments) throws InterruptedException {
        List<String> given = List.of(arguments);
        if (given.contains("--help") || given.contains("-h")) {
            System.out.println(help());
            return;
        }
        LogManager.getLogManager().getLogger("").setLevel(Level.WARNING);
        LocalAwsOptions options;
        try {
            options = LocalAwsSettings.read(given, System.getenv());
        } catch (IllegalArgumentException wrong) {
            System.err.println(wrong.getMessage());
            System.exit(WRONG_USE);
            return;
        }
        try {
            run(options, System.out);
        } catch (RuntimeException failure) {
            System.err.println(failure.getMessage());
            // DynamoDB Local leaves threads behind that would keep the JVM alive.
            System.exit(CANNOT_START);
        }
    }

    private static void run(LocalAwsOptions options, PrintStream out) throws InterruptedException {
        LocalAws aws = LocalAws.start(options);
        Runtime.getRuntime().addShutdownHook(new Thread(aws::close, "stop"));
        out.println(greeting(aws, options));
        // Until a signal ends the JVM, which runs the hook.
        Thread.currentThread().join();
    }

    static String greeting(LocalAws aws, LocalAwsOptions options) {
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
                LocalClients.CREDENTIAL, LocalClients.CREDENTIAL, LocalClients.REGION,
                aws.dynamoDbEndpoint(), aws.tableName(), aws.sqsEndpoint());
    }

    static String help() {
        String options = Arrays.stream(LocalAwsOption.values()).map(LocalAwsOption::help).collect(Collectors.joining("\n"));
        return """
                Runs DynamoDB Local and ElasticMQ, with Windrow's table and queues, for development and tests.

                Options (defaults in parentheses):
                %s
                  %-30s this text

                Each option is also an environment variable: --sqs-port is %sSQS_PORT.
                Arguments go before variables. Exit code: 1 when a server cannot start, 2 for a wrong option.""".formatted(
                options, "--help",
                LocalAwsSettings.VARIABLE_PREFIX);
    }
}
