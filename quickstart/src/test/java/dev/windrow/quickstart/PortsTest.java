package dev.windrow.quickstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.ServerSocket;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PortsTest {

    @AfterEach
    void clear() {
        System.clearProperty(Ports.GATHER_OPTION);
    }

    @Test
    void portsAreTheDocumentedOnesUnlessAnOptionNamesAnother() {
        assertThat(Ports.ofSystemProperties()).isEqualTo(new Ports(8000, 9324, 9001, 8080));

        System.setProperty(Ports.GATHER_OPTION, "18080");

        assertThat(Ports.ofSystemProperties()).isEqualTo(new Ports(8000, 9324, 9001, 18080));
    }

    @Test
    void whatIsNoPortIsNamed() {
        for (String text : new String[] { "", "x", "0", "65536", "-1", "999999" }) {
            System.setProperty(Ports.GATHER_OPTION, text);

            assertThatThrownBy(Ports::ofSystemProperties).isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("-Dport=" + text + ": expected a port, 1 to 65535");
        }
    }

    @Test
    void aTakenPortIsNamedWithTheOptionThatChoosesAnother() throws Exception {
        Ports free = Ports.free();
        assertThatCode(free::requireFree).doesNotThrowAnyException();

        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Ports ports = new Ports(free.dynamoDb(), free.sqs(), taken.getLocalPort(), free.gather());

            assertThatThrownBy(ports::requireFree).isInstanceOf(IllegalStateException.class).hasMessage("port "
                    + taken.getLocalPort()
                    + " of the writer is in use: stop what listens there, or choose another with -DwriterPort=N");
        }
    }
}
