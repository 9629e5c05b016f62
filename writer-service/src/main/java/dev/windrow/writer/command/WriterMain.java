package dev.windrow.writer.command;

import java.util.List;

import dev.windrow.writer.lifecycle.WriterService;
import io.quarkus.runtime.LaunchMode;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.annotations.QuarkusMain;

/**
 * Entry point. Without an argument it runs the writer until SIGTERM; with one of {@link Command} it runs that command and
 * exits: with code 0, 1 if the command failed, or 2 if there is no such command.
 */
@QuarkusMain
public final class WriterMain {

    private static final int FAILED = 1;
    private static final int WRONG_USE = 2;

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

    private static void end(int code, Throwable failure) {
        // The log has ended, and Kubernetes shows the last lines as the pod's termination message.
        WriterService.refusal().ifPresent(System.err::println);
        System.exit(code);
    }

    private static int run(List<String> arguments) {
        Command command = Command.named(arguments.get(0)).orElse(null);
        if (command == null || arguments.size() > 1) {
            System.err.println("expected no argument (to run the writer) or one of " + Command.WORDS + ", found " + arguments);
            return WRONG_USE;
        }
        try {
            // Commands use no service of Quarkus: starting it would start the flow.
            System.out.println(command.run(CommandSettings.ofEnvironment()));
            return 0;
        } catch (RuntimeException failure) {
            System.err.println(command.word() + " failed: " + message(failure));
            return FAILED;
        }
    }

    private static String message(Throwable failure) {
        String message = failure.getMessage();
        return message == null ? failure.toString() : message;
    }
}
