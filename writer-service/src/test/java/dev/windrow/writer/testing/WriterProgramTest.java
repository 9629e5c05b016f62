package dev.windrow.writer.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which program tests of processes start, with a script in place of a native executable. */
class WriterProgramTest {

    private static final List<String> JVM_OPTIONS = List.of("-XX:TieredStopAtLevel=1");

    @TempDir
    Path folder;

    @Test
    void aNativeBuildsExecutableIsRunByItselfWithPropertiesAndArguments() throws Exception {
        Path executable = Files.writeString(folder.resolve("windrow-runner"), "#!/bin/sh\necho \"$@\"\n");
        Files.setPosixFilePermissions(executable, PosixFilePermissions.fromString("rwxr-xr-x"));

        Process process = new ProcessBuilder(new WriterProgram(Optional.of(executable)).command(JVM_OPTIONS,
                Map.of("windrow.table", "counts"), List.of("provision"))).redirectErrorStream(true).start();

        assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo("-Dwindrow.table=counts provision\n");
        assertThat(process.waitFor()).isZero();
    }

    @Test
    void theExecutablesPathComesFromTheBuild() {
        String before = System.getProperty("native.image.path");
        try {
            System.setProperty("native.image.path", folder.resolve("windrow-runner").toString());
            assertThat(WriterProgram.built().executable()).contains(folder.resolve("windrow-runner"));

            System.clearProperty("native.image.path");
            assertThat(WriterProgram.built().isNative()).isFalse();
        } finally {
            if (before != null) {
                System.setProperty("native.image.path", before);
            }
        }
    }

    @Test
    void anExecutableThatWasNotBuiltIsNamed() {
        assertThatThrownBy(() -> new WriterProgram(Optional.of(folder.resolve("none-runner"))).command(JVM_OPTIONS, Map.of(),
                List.of())).hasMessageContaining("none-runner is absent: package the module first, with -Dnative");
    }
}
