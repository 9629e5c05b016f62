package dev.windrow.quickstart;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.stream.IntStream;

/**
 * The ports of all servers, on loopback.
 *
 * @param writer the writer's management port: health and metrics
 */
record Ports(int dynamoDb, int sqs, int writer, int gather) {

    /** The system property with the port of the gather API. */
    static final String GATHER_OPTION = "port";

    private static final String WRITER_OPTION = "writerPort";
    private static final String DYNAMO_DB_OPTION = "dynamoDbPort";
    private static final String SQS_OPTION = "sqsPort";
    private static final int MAX_PORT = 65_535;

    /**
     * Returns the documented ports, unless options name others.
     *
     * @throws IllegalArgumentException naming the option that is not a valid port
     */
    static Ports ofSystemProperties() {
        return new Ports(option(DYNAMO_DB_OPTION, 8000), option(SQS_OPTION, 9324), option(WRITER_OPTION, 9001),
                option(GATHER_OPTION, 8080));
    }

    private static int option(String name, int absent) {
        String text = System.getProperty(name);
        if (text == null) {
            return absent;
        }
        int port = text.matches("[0-9]{1,5}") ? Integer.parseInt(text) : 0;
        if (port < 1 || port > MAX_PORT) {
            throw new IllegalArgumentException("-D" + name + "=" + text + ": expected a port, 1 to " + MAX_PORT);
        }
        return port;
    }

    /** Returns ports that were free a moment ago, for tests. */
    static Ports free() {
        int[] free = IntStream.generate(Ports::anyFree).distinct().limit(4).toArray();
        return new Ports(free[0], free[1], free[2], free[3]);
    }

    /** Returns a port that was free a moment ago. */
    static int anyFree() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new IllegalStateException("no free port", e);
        }
    }

    /**
     * Requires that all ports are free.
     *
     * @throws IllegalStateException naming the first port that is taken, and the option that chooses another
     */
    void requireFree() {
        requireFree("the gatherer", gather, GATHER_OPTION);
        requireFree("the writer", writer, WRITER_OPTION);
        requireFree("DynamoDB", dynamoDb, DYNAMO_DB_OPTION);
        requireFree("SQS", sqs, SQS_OPTION);
    }

    private static void requireFree(String server, int port, String option) {
        try {
            new ServerSocket(port, 1, InetAddress.getLoopbackAddress()).close();
        } catch (IOException e) {
            throw new IllegalStateException("port " + port + " of " + server + " is in use: stop what listens there, or choose "
                    + "another with -D" + option + "=N", e);
        }
    }
}
