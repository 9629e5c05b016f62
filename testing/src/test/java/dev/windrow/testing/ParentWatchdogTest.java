package dev.windrow.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ParentWatchdogTest {

    private Process process;
    private BufferedReader output;

    /** Runs for ever, and says so. */
    public static final class Endless {

        public static void main(String[] args) throws InterruptedException {
            System.out.println("running " + args[0]);
            new CountDownLatch(1).await();
        }
    }

    @BeforeEach
    void startProcess() throws IOException {
        process = new ProcessBuilder(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
                System.getProperty("java.class.path"), ParentWatchdog.class.getName(), Endless.class.getName(), "on"))
                .redirectError(ProcessBuilder.Redirect.INHERIT).start();
        output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    @AfterEach
    void endProcess() {
        process.destroyForcibly();
    }

    @Test
    void runsTheOtherMainClassWithItsArguments() throws IOException {
        assertThat(output.readLine()).isEqualTo("running on");
        assertThat(process.isAlive()).isTrue();
    }

    @Test
    void ends_whenItsInputEnds() throws Exception {
        // given
        output.readLine();

        // when: what the operating system does at the end of the parent
        process.getOutputStream().close();

        // then
        assertThat(process.waitFor(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(1);
    }
}
