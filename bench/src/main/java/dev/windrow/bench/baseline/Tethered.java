package dev.windrow.bench.baseline;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.http.crt.AwsCrtAsyncHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;

/**
 * Code shared by the baselines: their main loop (a line in, a line out, until the input and so the process ends) and SDK
 * clients with the services' region and dummy credentials.
 */
final class Tethered {

    /** Keeps idle threads for a while, as the record of a thread's allocations ends with the thread. */
    private static final Executor CLIENTS = Executors.newCachedThreadPool();

    private static final Region REGION = Region.US_EAST_1;
    private static final StaticCredentialsProvider CREDENTIALS = StaticCredentialsProvider
            .create(AwsBasicCredentials.create("windrow", "windrow"));

    private static final Duration MAX_WAIT = Duration.ofMinutes(1);

    private Tethered() {
    }

    /** Answers each line of standard input, then ends the process. */
    static void answer(UnaryOperator<String> command) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            System.out.println(command.apply(line));
            System.out.flush();
        }
        System.exit(0);
    }

    /**
     * Answers {@code run GATHERS CLIENTS} with the microseconds of each gather.
     *
     * @param gather creates a client, given the number of clients; the client returns the number of items it found
     */
    static void gather(IntFunction<LongSupplier> gather) throws IOException {
        Map<Integer, List<LongSupplier>> byClients = new HashMap<>();
        answer(line -> {
            String[] words = line.split(" ", -1);
            int clients = Integer.parseInt(words[2]);
            int times = Integer.parseInt(words[1]) / clients;
            List<CompletableFuture<List<Long>>> running = byClients
                    .computeIfAbsent(clients, count -> IntStream.range(0, count).mapToObj(i -> gather.apply(count)).toList())
                    .stream().map(one -> CompletableFuture.supplyAsync(() -> micros(one, times), CLIENTS)).toList();
            return running.stream().flatMap(client -> client.join().stream()).map(String::valueOf)
                    .collect(Collectors.joining(" "));
        });
    }

    private static List<Long> micros(LongSupplier gather, int times) {
        List<Long> micros = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            long start = System.nanoTime();
            if (gather.getAsLong() == 0) {
                throw new IllegalStateException("no items");
            }
            micros.add((System.nanoTime() - start) / 1_000);
        }
        return micros;
    }

    static DynamoDbAsyncClient dynamoDb(URI endpoint, int connections) {
        return DynamoDbAsyncClient.builder().region(REGION).credentialsProvider(CREDENTIALS).endpointOverride(endpoint)
                .httpClient(http(connections)).build();
    }

    static SqsAsyncClient sqs(URI endpoint, int connections) {
        // Without checksum validation, like the writer.
        return SqsAsyncClient.builder().checksumValidationEnabled(false).region(REGION).credentialsProvider(CREDENTIALS)
                .endpointOverride(endpoint).httpClient(http(connections)).build();
    }

    /** Creates a client in which requests beyond the number of connections wait. */
    private static SdkAsyncHttpClient http(int connections) {
        return AwsCrtAsyncHttpClient.builder().maxConcurrency(connections).connectionAcquisitionTimeout(MAX_WAIT).build();
    }
}
