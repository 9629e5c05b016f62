package dev.windrow.bench.baseline;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;

/** A baseline's main loop: a line in, a line out, until the input ends, and the process with it. */
final class Tethered {

    private Tethered() {
    }

    /** Answers each line of standard input, then ends the process. */
    static void answer(UnaryOperator<String> command) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            System.out.println(command.apply(line));
            System.out.flush();
        }
        System.exit(0);
    }
}
