package dev.windrow.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import dev.windrow.testing.ParentWatchdog;
import dev.windrow.testing.Patience;

/** A process of its own that is sent SIGTERM. */
class TerminationSignalTest {

    /** The child: it waits, and exits with 0 when it is terminated. */
    public static final class Waiting {

        public static void main(String[] arguments) throws InterruptedException {
            TerminationSignal.handle(() -> System.exit(0));
            System.out.println("waiting");
            Thread.currentThread().join();
        }
    }

    @Test
    void theActionDecidesHowTheProcessEnds() throws Exception {
        Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"), ParentWatchdog.class.getName(),
                Waiting.class.getName())
                .redirectErrorStream(true).start();
        try {
            BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
            assertThat(output.readLine()).isEqualTo("waiting");

            process.toHandle().destroy();

            assertThat(process.waitFor(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isZero();
            assertThat(output.readLine()).as("complaints").isNull();
        } finally {
            process.destroyForcibly();
        }
    }
}
