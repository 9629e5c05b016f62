package dev.windrow.e2e;

import java.net.URI;

import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.Network;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.command.InspectContainerResponse;
import com.github.dockerjava.api.model.ExposedPort;
import com.github.dockerjava.api.model.Ports;

/**
 * A writer, and what can happen to one.
 *
 * @param container where it runs
 * @param network what connects it to queue and table
 */
record Writer(GenericContainer<?> container, Network network) {

    /** Where its health and metrics are. */
    static final int MANAGEMENT = 9001;

    private static DockerClient docker() {
        return DockerClientFactory.instance().client();
    }

    /** Ends the process at once, as a lost node would; nothing is drained or handed back. */
    void kill() {
        signal("KILL");
    }

    void startAgain() {
        docker().startContainerCmd(container.getContainerId()).exec();
    }

    /**
     * Stops the process's clock: it holds its messages beyond their visibility, and believes that no time has passed. By a
     * signal, as freezing a busy process's control group fails on some kernels.
     */
    void pause() {
        signal("STOP");
    }

    void goOn() {
        signal("CONT");
    }

    void cutOff() {
        docker().disconnectFromNetworkCmd().withContainerId(container.getContainerId()).withNetworkId(network.getId())
                .exec();
    }

    void heal() {
        docker().connectToNetworkCmd().withContainerId(container.getContainerId()).withNetworkId(network.getId()).exec();
    }

    /** A metric now; 0 if it does not exist. */
    double metric(String name) {
        return Http.get(address().resolve("/q/metrics")).lines().filter(line -> line.startsWith(name + " ")
                || line.startsWith(name + "{")).mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }

    private void signal(String name) {
        docker().killContainerCmd(container.getContainerId()).withSignal(name).exec();
    }

    /** Asked anew each time, as the port may change when the container or its network comes back. */
    private URI address() {
        InspectContainerResponse now = docker().inspectContainerCmd(container.getContainerId()).exec();
        Ports.Binding[] bindings = now.getNetworkSettings().getPorts().getBindings().get(ExposedPort.tcp(MANAGEMENT));
        if (bindings == null || bindings.length == 0) {
            throw new IllegalStateException("the writer has no address yet");
        }
        return URI.create("http://" + container.getHost() + ":" + bindings[0].getHostPortSpec());
    }
}
