package dev.windrow.writer.operate;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import dev.windrow.testing.Patience;
import dev.windrow.writer.testing.WriterProgram;

/** The packaged program with arguments that it cannot do anything with. */
class WriterMainIT {

    private record Outcome(int exitCode, String output) {
    }

    @Test
    void anUnknownCommandIsReportedWithTheKnownOnes() throws Exception {
        Outcome outcome = run("provisoin");

        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.output()).contains("[provision, rank, check, erase, expire]").contains("provisoin");
    }

    @Test
    void aMissingSettingIsReportedByItsName() throws Exception {
        Outcome outcome = run("check");

        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(outcome.output()).contains("check failed: windrow.datasets-file: expected the file");
    }

    @Test
    void onlyErasingTakesArguments() throws Exception {
        assertThat(run("rank", "now=true").exitCode()).isEqualTo(2);

        Outcome outcome = run("erase", "value=42");

        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(outcome.output()).contains("erase failed: attribute: missing; name the attribute that has the value");
    }

    private static Outcome run(String... arguments) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(WriterProgram.built().command(List.of("-XX:TieredStopAtLevel=1"),
                Map.of(), List.of(arguments))).redirectErrorStream(true);
        builder.environment().clear();
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        return new Outcome(process.exitValue(), output);
    }
}
