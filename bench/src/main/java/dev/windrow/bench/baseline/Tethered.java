package dev.windrow.bench.baseline;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.StringJoiner;
import java.util.function.LongSupplier;
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

    /**
     * Answers {@code run N} with the items of the last gather, then the microseconds of each.
     *
     * @param gather returns how many items it found
     */
    static void gather(LongSupplier gather) throws IOException {
        answer(line -> {
            int times = Integer.parseInt(line.substring("run ".length()));
            StringJoiner latencies = new StringJoiner(" ");
            long items = 0;
            for (int i = 0; i < times; i++) {
                long start = System.nanoTime();
                items = gather.getAsLong();
                latencies.add(Long.toString((System.nanoTime() - start) / 1_000));
            }
            return items + " " + latencies;
        });
    }
}
