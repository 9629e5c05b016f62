package dev.windrow.chart;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Function;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;

import dev.windrow.local.LocalAws;
import dev.windrow.local.fault.Fault;
import dev.windrow.local.fault.FaultProxy;
import dev.windrow.local.fault.ProxiedRequest;

/**
 * The part of an AWS account that an installation meets: credentials by EKS Pod Identity, a set for each service account,
 * and a record of what each of them was used for.
 */
final class AwsAccount implements AutoCloseable {

    /** Operations that IAM knows by the name of another one. */
    private static final Map<String, String> ACTIONS = Map.of("SendMessageBatch", "SendMessage",
            "DeleteMessageBatch", "DeleteMessage", "ChangeMessageVisibilityBatch", "ChangeMessageVisibility");

    private final Map<String, Set<String>> used = new ConcurrentHashMap<>();
    private final HttpServer agent;
    private final FaultProxy dynamoDb;
    private final FaultProxy sqs;

    AwsAccount(LocalAws aws) {
        agent = agent();
        dynamoDb = FaultProxy.start(aws.dynamoDbEndpoint(), request -> remember(request, AwsAccount::onTables));
        sqs = FaultProxy.start(aws.sqsEndpoint(), request -> remember(request, AwsAccount::onQueue));
    }

    URI dynamoDb() {
        return dynamoDb.endpoint();
    }

    URI sqs() {
        return sqs.endpoint();
    }

    /** What EKS adds to the environment of a pod whose service account is associated with a role. */
    Map<String, String> podIdentity(String serviceAccount, Path folder) {
        try {
            // Access key ids have letters and digits only; the account's name stands in the token, as in a real one.
            Path token = Files.writeString(folder.resolve(serviceAccount + ".token"), serviceAccount);
            return Map.of("AWS_CONTAINER_CREDENTIALS_FULL_URI",
                    "http://127.0.0.1:" + agent.getAddress().getPort() + "/v1/credentials",
                    "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE", token.toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Actions with their resources that a service account's credentials were used for, as a policy would allow them. */
    Set<String> used(String serviceAccount) {
        return new TreeSet<>(used.getOrDefault(accessKeyId(serviceAccount), Set.of()));
    }

    private Fault remember(ProxiedRequest request, Function<ProxiedRequest, Stream<String>> permissions) {
        Set<String> ofKey = used.computeIfAbsent(request.accessKeyId(), key -> new ConcurrentSkipListSet<>());
        permissions.apply(request).forEach(ofKey::add);
        return new Fault.Pass();
    }

    private static Stream<String> onTables(ProxiedRequest request) {
        if (request.operation().equals("BatchGetItem")) {
            return request.body().path("RequestItems").properties().stream()
                    .map(table -> "dynamodb:BatchGetItem table/" + table.getKey());
        }
        if (!request.operation().equals("TransactWriteItems")) {
            return Stream.of(onTable(request.operation(), request.body()));
        }
        return Manifest.elements(request.body().path("TransactItems")).flatMap(item -> item.properties().stream())
                .map(write -> onTable(write.getKey().equals("ConditionCheck") ? "ConditionCheckItem" : write.getKey() + "Item",
                        write.getValue()));
    }

    private static String onTable(String action, JsonNode body) {
        String index = body.path("IndexName").asText();
        return "dynamodb:" + action + " table/" + body.path("TableName").asText() + (index.isEmpty() ? "" : "/index/" + index);
    }

    private static Stream<String> onQueue(ProxiedRequest request) {
        String url = request.body().path("QueueUrl").asText();
        String queue = url.isEmpty() ? request.body().path("QueueName").asText() : url.substring(url.lastIndexOf('/') + 1);
        return Stream.of("sqs:" + ACTIONS.getOrDefault(request.operation(), request.operation()) + " " + queue);
    }

    private static String accessKeyId(String serviceAccount) {
        return serviceAccount.replaceAll("[^A-Za-z0-9]", "");
    }

    private static HttpServer agent() {
        try {
            HttpServer agent = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            agent.createContext("/v1/credentials", exchange -> {
                String token = exchange.getRequestHeaders().getFirst("Authorization");
                byte[] answer = """
                        {"AccessKeyId":"%s","SecretAccessKey":"secret","Token":"token","AccountId":"111122223333",
                         "Expiration":"2099-01-01T00:00:00Z"}""".formatted(accessKeyId(String.valueOf(token)))
                        .getBytes(StandardCharsets.UTF_8);
                exchange.getResponseHeaders().set("Content-Type", "application/json");
                exchange.sendResponseHeaders(token == null ? 400 : 200, answer.length);
                exchange.getResponseBody().write(answer);
                exchange.close();
            });
            agent.start();
            return agent;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        agent.stop(0);
        dynamoDb.close();
        sqs.close();
    }
}
