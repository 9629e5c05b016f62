package dev.windrow.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.windrow.provision.QueueSpec;
import dev.windrow.provision.TableSpec;
import dev.windrow.testing.ParentWatchdog;
import dev.windrow.testing.Patience;
import picocli.CommandLine;

/** {@link LocalAwsMain} as a process of its own. */
class LocalAwsMainTest {

    private static final String LAST_LINE = "Ctrl-C stops both.";

    private final List<Process> processes = new ArrayList<>();

    @AfterEach
    void endProcesses() {
        processes.forEach(Process::destroyForcibly);
    }

    @Test
    @Tag("slow")
    void servesUntilItIsTerminated() throws Exception {
        // Given it runs, with one port from an argument and one from a variable
        Process process = run(Map.of("WINDROW_LOCAL_SQS_PORT", "0"), "--dynamodb-port=0", "--table=mine");
        List<String> greeting = linesUntil(process, LAST_LINE);
        URI dynamoDb = URI.create(value(greeting, "DynamoDB"));
        URI sqs = URI.create(value(greeting, "SQS"));
        assertThat(value(greeting, "Table")).isEqualTo("mine");
        assertThat(value(greeting, "Queue")).startsWith(sqs.toString());
        assertThat(greeting).anyMatch(line -> line.contains("aws --endpoint-url " + dynamoDb + " dynamodb"));
        assertThat(status(dynamoDb)).as("DynamoDB answers what is no request").isEqualTo(400);
        assertThat(status(sqs.resolve("/health"))).isEqualTo(200);

        // When it is terminated
        process.toHandle().destroy();

        // Then it ends, and quietly
        assertThat(process.waitFor(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as("128 and the number of the signal").isEqualTo(143);
        assertThat(errors(process)).isEmpty();
        assertThat(isListening(dynamoDb)).isFalse();
        assertThat(isListening(sqs)).isFalse();
    }

    @Test
    void endsWithOneLineWhenAPortIsTaken() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName(LocalAwsOptions.LOOPBACK))) {
            Process process = run(Map.of(), "--sqs-port=0", "--dynamodb-port=" + taken.getLocalPort());

            assertThat(process.waitFor(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(1);
            assertThat(errors(process)).startsWith("DynamoDB Local cannot listen on 127.0.0.1:" + taken.getLocalPort())
                    .hasLineCount(1);
        }
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            --port=8000,         Unknown option: '--port=8000'; see --help
            --sqs-port=x,        Invalid value for option '--sqs-port'
            --sqs-port=65536,    sqs port: expected from 0 (any free port) to 65535
            """)
    void endsWithOneLineWhenAnOptionIsWrong(String argument, String message) throws Exception {
        Process process = run(Map.of(), argument);

        assertThat(process.waitFor(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(2);
        assertThat(errors(process)).startsWith(message).hasLineCount(1);
    }

    @Test
    void variablesAreBelowArgumentsAndAboveDefaults() {
        Map<String, String> environment = Map.of("WINDROW_LOCAL_SQS_PORT", "1", "WINDROW_LOCAL_DYNAMODB_PORT", "2",
                "WINDROW_LOCAL_FOLDER", "", "PATH", "/bin");

        assertThat(options(environment, "--sqs-port=3")).isEqualTo(LocalAwsOptions.forTests().withPorts(2, 3));
    }

    @Test
    void everyOptionArrives() {
        LocalAwsOptions options = options(Map.of(), "--host=0.0.0.0", "--dynamodb-port=0", "--folder=data", "--table=mine",
                "--queue=jobs", "--visibility-timeout=7", "--max-receive-count=2", "--provision=false");

        assertThat(options).isEqualTo(new LocalAwsOptions("0.0.0.0", 0, 9324, Optional.of(Path.of("data")),
                TableSpec.named("mine"),
                QueueSpec.named("jobs").withVisibilityTimeout(Duration.ofSeconds(7)).withMaxReceiveCount(2), false));
    }

    private static LocalAwsOptions options(Map<String, String> environment, String... arguments) {
        CommandLine command = LocalAwsMain.commandLine(environment);
        command.parseArgs(arguments);
        return command.<LocalAwsMain> getCommand().options();
    }

    private Process run(Map<String, String> environment, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        // What this JVM was given so that libraries' old ways draw no warnings on newer JDKs.
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> argument.startsWith("--sun-misc-") || argument.startsWith("--enable-native-access"))
                .forEach(command::add);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), ParentWatchdog.class.getName(),
                LocalAwsMain.class.getName()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().keySet().removeIf(name -> name.startsWith(LocalAwsMain.VARIABLE_PREFIX));
        builder.environment().putAll(environment);
        Process process = builder.start();
        processes.add(process);
        return process;
    }

    private static List<String> linesUntil(Process process, String last) throws IOException {
        List<String> lines = new ArrayList<>();
        BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            lines.add(line);
            if (line.equals(last)) {
                return lines;
            }
        }
        throw new AssertionError("ended early: " + lines + errors(process));
    }

    private static String value(List<String> lines, String name) {
        return lines.stream().filter(line -> line.startsWith(name + " ")).findFirst().orElseThrow()
                .substring(name.length()).strip();
    }

    private static String errors(Process process) throws IOException {
        return new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    private static int status(URI uri) throws IOException, InterruptedException {
        return HttpClient.newHttpClient().send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    private static boolean isListening(URI uri) throws IOException, InterruptedException {
        try {
            status(uri);
            return true;
        } catch (ConnectException refused) {
            return false;
        }
    }
}
