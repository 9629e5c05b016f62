package dev.windrow.quickstart.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/**
 * The ports everything listens on, on loopback.
 *
 * @param dynamoDb the embedded DynamoDB
 * @param sqs the embedded SQS
 * @param writer the writer's health and metrics
 * @param gather the gather API
 */
public record Ports(int dynamoDb, int sqs, int writer, int gather) {

    /** The documented ports. */
    public static final Ports DOCUMENTED = new Ports(8000, 9324, 8081, 8080);

    /** Ports that were free a moment ago, for tests. */
    public static Ports free() {
        List<ServerSocket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < 4; i++) {
                sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
            }
            return new Ports(sockets.get(0).getLocalPort(), sockets.get(1).getLocalPort(), sockets.get(2).getLocalPort(),
                    sockets.get(3).getLocalPort());
        } catch (IOException e) {
            throw new IllegalStateException("no free ports", e);
        } finally {
            sockets.forEach(Ports::close);
        }
    }

    /**
     * Nothing, if all ports are free.
     *
     * @throws IllegalStateException naming the first that is taken
     */
    public void requireFree() {
        for (int port : new int[] { dynamoDb, sqs, writer, gather }) {
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                socket.setReuseAddress(true);
            } catch (IOException e) {
                throw new IllegalStateException("port " + port + " is in use: stop what listens there and try again", e);
            }
        }
    }

    private static void close(ServerSocket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
