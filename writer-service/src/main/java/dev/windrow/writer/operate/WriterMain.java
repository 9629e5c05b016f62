package dev.windrow.writer.operate;

import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.windrow.writer.WriterService;
import io.quarkus.runtime.LaunchMode;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.annotations.QuarkusMain;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.quarkus.runtime.util.ExceptionUtil;
import io.smallrye.config.ConfigValidationException;

/**
 * Entry point. Without arguments it runs the writer until SIGTERM. With the name of a command it runs the command and exits
 * with code 0, or 1 if the command failed, or 2 for an unknown command or unexpected arguments.
 */
@QuarkusMain
public final class WriterMain {

    private static final int FAILED = 1;
    private static final int WRONG_USE = 2;
    private static final String ERASE = "erase";
    private static final List<String> COMMANDS = List.of("provision", "rank", "check", ERASE, "expire");

    private WriterMain() {
    }

    public static void main(String... arguments) {
        if (arguments.length == 0) {
            if (LaunchMode.current() == LaunchMode.NORMAL) {
                Quarkus.run(null, WriterMain::end, arguments);
            } else {
                Quarkus.run(arguments);
            }
            return;
        }
        System.exit(run(List.of(arguments)));
    }

    private static void end(int code, @Nullable Throwable failure) {
        // Logging has stopped by now. Kubernetes shows the last lines as the pod's termination message.
        WriterService.refusal().ifPresent(System.err::println);
        if (failure != null) {
            // Quarkus leaves it to this handler to print why the application did not start.
            System.err.println(notStarted(failure));
        }
        System.exit(code);
    }

    /** Returns one line if an operator can correct the problem, otherwise the stack trace and then the line. */
    private static String notStarted(Throwable failure) {
        Throwable cause = ExceptionUtil.getRootCause(failure);
        String line = "not started: " + message(cause).strip().replaceAll("\\s*\\R\\s*", " ");
        return cause instanceof ConfigurationException || cause instanceof ConfigValidationException ? line
                : ExceptionUtil.generateStackTrace(failure) + line;
    }

    private static int run(List<String> arguments) {
        String command = arguments.get(0);
        List<String> further = arguments.subList(1, arguments.size());
        if (!COMMANDS.contains(command) || (!further.isEmpty() && !command.equals(ERASE))) {
            System.err.println("unknown arguments " + arguments + ": give none (to run the writer) or one of " + COMMANDS
                    + ", of which only " + ERASE + " has arguments of its own");
            return WRONG_USE;
        }
        try {
            // Commands run without Quarkus: starting it would start the flow.
            CommandSettings settings = CommandSettings.ofEnvironment();
            System.out.println(switch (command) {
                case "provision" -> Provision.run(settings);
                case "rank" -> RankCommand.run(settings);
                case "check" -> Check.run(settings);
                case ERASE -> Erase.run(settings, further);
                default -> Expire.run(settings);
            });
            return 0;
        } catch (RuntimeException failure) {
            System.err.println(command + " failed: " + message(failure));
            return FAILED;
        }
    }

    private static String message(Throwable failure) {
        String message = failure.getMessage();
        return message == null ? failure.toString() : message;
    }

}
