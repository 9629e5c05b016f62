package dev.windrow.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The checked-in manifests of the services are those that their build generates. With {@code -Dwindrow.write=true} they are
 * written anew instead of compared.
 */
class GeneratedManifestsIT {

    @ParameterizedTest
    @ValueSource(strings = { "writer-service", "gather-service" })
    void theCheckedInManifestIsTheBuilds(String service) throws IOException {
        Path generated = Path.of("..", service, "target/kubernetes/kubernetes.yml");
        Path checkedIn = Path.of("../k8s/base", service + ".yml");

        if (Boolean.getBoolean("windrow.write")) {
            Files.copy(generated, checkedIn, StandardCopyOption.REPLACE_EXISTING);
        } else {
            assertThat(Files.readString(checkedIn)).as("write it anew with -Dit.test=GeneratedManifestsIT -Dwindrow.write=true")
                    .isEqualTo(Files.readString(generated));
        }
    }
}
