package dev.windrow.e2e;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.testcontainers.images.builder.ImageFromDockerfile;

/** Builds the images from the project's own Dockerfiles, of exactly the files that these name. */
final class Images {

    static final Path ROOT = Path.of(System.getProperty("windrow.root", ".."));
    private static final String BASE_IMAGE = System.getProperty("windrow.e2e.base-image", "");

    private Images() {
    }

    static ImageFromDockerfile localAws() {
        return image("local-aws", "Dockerfile", "target/lib", "target/native", "target/bom.json",
                "target/windrow-local-aws-1.0.0-SNAPSHOT.jar");
    }

    static ImageFromDockerfile writer() {
        return image("writer-service", "Dockerfile.jvm", "target/quarkus-app", "target/bom.json");
    }

    static ImageFromDockerfile gatherer() {
        return image("gather-service", "Dockerfile.jvm", "target/quarkus-app", "target/bom.json");
    }

    private static ImageFromDockerfile image(String module, String dockerfile, String... parts) {
        Path folder = ROOT.resolve(module);
        ImageFromDockerfile image = new ImageFromDockerfile("windrow-e2e/" + module + ":test", false)
                .withFileFromPath("Dockerfile", folder.resolve("src/main/docker").resolve(dockerfile));
        for (String part : List.of(parts)) {
            if (!Files.exists(folder.resolve(part))) {
                throw new IllegalStateException(folder.resolve(part) + " is absent: build the module first");
            }
            image.withFileFromPath(part, folder.resolve(part));
        }
        return BASE_IMAGE.isBlank() ? image : image.withBuildArg("BASE_IMAGE", BASE_IMAGE);
    }
}
