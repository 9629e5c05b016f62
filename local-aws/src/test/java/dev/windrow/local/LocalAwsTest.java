package dev.windrow.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.windrow.provision.QueueSpec;
import dev.windrow.provision.TableSpec;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.sqs.model.Message;

class LocalAwsTest {

    @Test
    void startsBothServersWithTableAndQueuesOnLoopbackOnlyAndFreesTheirPorts() throws IOException {
        LocalAws aws = LocalAws.start(LocalAwsOptions.forTests());
        List<Integer> ports = List.of(aws.dynamoDbEndpoint().getPort(), aws.sqsEndpoint().getPort());

        assertThat(aws.tableName()).isEqualTo("windrow");
        assertThat(aws.dynamoDb().listTables().join().tableNames()).containsExactly("windrow");
        assertThat(aws.queueUrl()).startsWith(aws.sqsEndpoint().toString()).endsWith("/windrow-events");
        assertThat(aws.deadLetterQueueUrl()).endsWith("/windrow-events-dlq");
        assertThat(aws.sqs().listQueues().join().queueUrls())
                .containsExactlyInAnyOrder(aws.queueUrl(), aws.deadLetterQueueUrl());
        for (int port : ports) {
            assertThat(canConnect(InetAddress.getByName("127.0.0.1"), port)).isTrue();
            for (InetAddress address : otherAddressesOfThisMachine()) {
                assertThat(canConnect(address, port)).as("%s on %s", port, address).isFalse();
            }
        }

        aws.close();
        aws.close();
        for (int port : ports) {
            assertThat(canConnect(InetAddress.getByName("127.0.0.1"), port)).isFalse();
        }
    }

    @Test
    void startsBareServersWhenProvisioningIsOff() {
        try (LocalAws aws = LocalAws.start(LocalAwsOptions.forTests().withoutProvisioning())) {
            assertThat(aws.dynamoDb().listTables().join().tableNames()).isEmpty();
            assertThat(aws.sqs().listQueues().join().queueUrls()).isEmpty();
            assertThatThrownBy(aws::queueUrl).isInstanceOf(IllegalStateException.class).hasMessageContaining("queue");
        }
    }

    @Test
    void keepsInstancesInOneJvmApart() {
        try (LocalAws one = LocalAws.start(LocalAwsOptions.forTests());
                LocalAws other = LocalAws.start(LocalAwsOptions.forTests().withTable(TableSpec.named("other"))
                        .withQueue(QueueSpec.named("other-events")))) {
            // When each gets an item and a message
            put(one, "of-one");
            put(other, "of-other");
            send(one, "to one");
            send(other, "to other");

            // Then each has its own alone
            assertThat(keys(one)).containsExactly("of-one");
            assertThat(keys(other)).containsExactly("of-other");
            assertThat(receive(one)).containsExactly("to one");
            assertThat(receive(other)).containsExactly("to other");
            assertThat(other.dynamoDb().listTables().join().tableNames()).containsExactly("other");
        }
    }

    @Test
    void keepsItemsQueuesAndMessagesWhenStartedAgainOnAFolder(@TempDir Path folder) {
        // Given data written before a stop, and another folder used in between
        LocalAwsOptions options = LocalAwsOptions.forTests().withFolder(folder.resolve("kept"));
        try (LocalAws first = LocalAws.start(options)) {
            put(first, "kept");
            send(first, "kept");
            first.createQueue(QueueSpec.named("extra"));
        }
        try (LocalAws unrelated = LocalAws.start(LocalAwsOptions.forTests().withFolder(folder.resolve("unrelated")))) {
            assertThat(keys(unrelated)).isEmpty();
            assertThat(receive(unrelated)).isEmpty();
        }

        // When started again
        try (LocalAws second = LocalAws.start(options)) {
            // Then all is there
            assertThat(keys(second)).containsExactly("kept");
            assertThat(receive(second)).containsExactly("kept");
            assertThat(second.sqs().listQueues(request -> request.queueNamePrefix("extra")).join().queueUrls()).hasSize(2);
        }
    }

    @Test
    void refusesAFolderThatIsInUse(@TempDir Path folder) {
        LocalAwsOptions options = LocalAwsOptions.forTests().withFolder(folder);
        try (LocalAws first = LocalAws.start(options)) {
            assertThatThrownBy(() -> LocalAws.start(options))
                    .isInstanceOf(IllegalStateException.class).hasMessageContaining("folder").hasMessageContaining("in use");
            assertThat(first.dynamoDb().listTables().join().tableNames()).containsExactly("windrow");
        }
    }

    @Test
    void refusesASecondFolderInTheSameJvm(@TempDir Path folder) {
        try (LocalAws first = LocalAws.start(LocalAwsOptions.forTests().withFolder(folder.resolve("first")))) {
            assertThatThrownBy(() -> LocalAws.start(LocalAwsOptions.forTests().withFolder(folder.resolve("second"))))
                    .isInstanceOf(IllegalStateException.class).hasMessageContaining("same JVM");
            send(first, "still works");
            assertThat(receive(first)).containsExactly("still works");
        }
    }

    @Test
    void saysWhichPortIsTaken() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName(LocalAwsOptions.LOOPBACK))) {
            int port = taken.getLocalPort();
            assertThatThrownBy(() -> LocalAws.start(LocalAwsOptions.forTests().withPorts(port, 0)))
                    .isInstanceOf(IllegalStateException.class).hasMessageContaining("DynamoDB Local")
                    .hasMessageContaining(":" + port);
            assertThatThrownBy(() -> LocalAws.start(LocalAwsOptions.forTests().withPorts(0, port)))
                    .isInstanceOf(IllegalStateException.class).hasMessageContaining("ElasticMQ")
                    .hasMessageContaining(":" + port);
        }
    }

    @Test
    void listensOnEveryInterfaceIfConfigured() throws IOException {
        try (LocalAws aws = LocalAws.start(LocalAwsOptions.forTests().withHost("0.0.0.0"))) {
            assertThat(aws.queueUrl()).as("an address to connect to").startsWith("http://127.0.0.1:");
            for (InetAddress address : otherAddressesOfThisMachine()) {
                assertThat(canConnect(address, aws.dynamoDbEndpoint().getPort())).isTrue();
                assertThat(canConnect(address, aws.sqsEndpoint().getPort())).isTrue();
            }
        }
    }

    /** Addresses of 127.0.0.0/8 other than 127.0.0.1 count: a server bound to all interfaces answers there too. */
    private static List<InetAddress> otherAddressesOfThisMachine() throws IOException {
        List<InetAddress> real = NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(address -> !address.isLoopbackAddress() && !address.isLinkLocalAddress())
                .toList();
        boolean linux = System.getProperty("os.name").equals("Linux");
        return real.isEmpty() && linux ? List.of(InetAddress.getByName("127.0.0.2")) : real;
    }

    private static boolean canConnect(InetAddress address, int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(address, port), 2_000);
            return true;
        } catch (IOException refused) {
            return false;
        }
    }

    private static void put(LocalAws aws, String key) {
        aws.dynamoDb().putItem(request -> request.tableName(aws.tableName())
                .item(Map.of("pk", AttributeValue.fromS(key), "sk", AttributeValue.fromS("s")))).join();
    }

    private static List<String> keys(LocalAws aws) {
        return aws.dynamoDb().scan(request -> request.tableName(aws.tableName())).join().items().stream()
                .map(item -> item.get("pk").s()).toList();
    }

    private static void send(LocalAws aws, String body) {
        aws.sqs().sendMessage(request -> request.queueUrl(aws.queueUrl()).messageBody(body)).join();
    }

    private static List<String> receive(LocalAws aws) {
        return aws.sqs().receiveMessage(request -> request.queueUrl(aws.queueUrl()).maxNumberOfMessages(10).waitTimeSeconds(0))
                .join().messages().stream().map(Message::body).toList();
    }
}
