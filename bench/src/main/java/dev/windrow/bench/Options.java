package dev.windrow.bench;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * What to run.
 *
 * @param root the project's folder, with all modules packaged
 * @param quick whether a few minutes must do
 * @param pageOnly whether just to make the page of the last result file
 * @param only sections to run; all if empty
 * @param seed of everything drawn at random
 */
record Options(Path root, boolean quick, boolean pageOnly, List<String> only, long seed) {

    /** {@code --root=DIR --quick=yes|no --page=yes|no --only=ID,… --seed=N}; a property that is set empty means yes. */
    static Options parse(String[] args) {
        Options options = new Options(Path.of("."), false, false, List.of(), 20_261_120);
        for (String arg : args) {
            int equals = arg.indexOf('=');
            String name = equals < 0 ? arg : arg.substring(0, equals);
            String value = equals < 0 ? "" : arg.substring(equals + 1);
            options = options.with(name, value);
        }
        return options;
    }

    private Options with(String name, String value) {
        return switch (name) {
            case "--root" -> new Options(Path.of(value), quick, pageOnly, only, seed);
            case "--quick" -> new Options(root, yes(value), pageOnly, only, seed);
            case "--page" -> new Options(root, quick, yes(value), only, seed);
            case "--only" -> new Options(root, quick, pageOnly, list(value), seed);
            case "--seed" -> new Options(root, quick, pageOnly, only, value.isEmpty() ? seed : Long.parseLong(value));
            default -> throw new IllegalArgumentException(name + ": expected --root, --quick, --page, --only or --seed");
        };
    }

    private static boolean yes(String value) {
        return !value.equals("no") && !value.equals("false");
    }

    private static List<String> list(String value) {
        return Arrays.stream(value.split(",", -1)).map(String::strip).filter(id -> !id.isEmpty()).toList();
    }

    boolean wants(String id) {
        return only.isEmpty() || only.contains(id);
    }
}
