package dev.windrow.writer.testing;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The program that the build made: a native executable where the build is native, else the jar on a JVM.
 *
 * @param executable the native executable; empty for the jar
 */
public record WriterProgram(Optional<Path> executable) {

    private static final Path JAR = Path.of("target", "quarkus-app", "quarkus-run.jar");

    /** Options of the native executable, set by the build: where its libraries are. */
    private static final String NATIVE_OPTIONS = "quarkus.test.arg-line";

    /** What this build made; a native build says where (as Quarkus' own tests of packaged programs want it). */
    public static WriterProgram built() {
        return new WriterProgram(Optional.ofNullable(System.getProperty("native.image.path")).map(Path::of));
    }

    public boolean isNative() {
        return executable.isPresent();
    }

    /** The jar, for those that start it by another main class. */
    public static Path jar() {
        return JAR;
    }

    /** The Java that runs this test. */
    public static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /**
     * A command line.
     *
     * @param jvmOptions of the JVM only
     * @param properties system properties, which a native executable takes as well
     * @throws IllegalStateException if the program was not built
     */
    public List<String> command(List<String> jvmOptions, Map<String, String> properties, List<String> arguments) {
        Path program = executable.orElse(JAR);
        if (!Files.exists(program)) {
            throw new IllegalStateException(program + " is absent: package the module first"
                    + (isNative() ? ", with -Dnative" : ""));
        }
        List<String> command = new ArrayList<>();
        if (isNative()) {
            command.add(program.toString());
            String options = System.getProperty(NATIVE_OPTIONS, "").strip();
            command.addAll(options.isEmpty() ? List.of() : List.of(options.split(" +", -1)));
        } else {
            command.add(java());
            command.addAll(jvmOptions);
        }
        properties.forEach((name, value) -> command.add("-D" + name + "=" + value));
        if (!isNative()) {
            command.addAll(List.of("-jar", JAR.toString()));
        }
        command.addAll(arguments);
        return command;
    }
}
