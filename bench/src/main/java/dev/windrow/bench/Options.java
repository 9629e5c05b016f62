package dev.windrow.bench;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

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

    private static final long SEED = 20_261_120;

    /** {@code --root=DIR --quick=yes|no --page=yes|no --only=ID,… --seed=N}; a property that is set empty means yes. */
    static Options parse(String[] args) {
        Map<String, String> values = new HashMap<>(
                Map.of("--root", ".", "--quick", "no", "--page", "no", "--only", "", "--seed",
                        ""));
        for (String arg : args) {
            String[] parts = arg.split("=", 2);
            if (values.put(parts[0], parts.length < 2 ? "" : parts[1]) == null) {
                throw new IllegalArgumentException(arg + ": expected --root, --quick, --page, --only or --seed");
            }
        }
        String seed = values.getOrDefault("--seed", "");
        return new Options(Path.of(values.getOrDefault("--root", "")), yes(values.get("--quick")), yes(values.get("--page")),
                Arrays.stream(values.getOrDefault("--only", "").split(",", -1)).filter(id -> !id.isEmpty()).toList(),
                seed.isEmpty() ? SEED : Long.parseLong(seed));
    }

    private static boolean yes(@Nullable String value) {
        return !"no".equals(value);
    }

    boolean wants(String id) {
        return only.isEmpty() || only.contains(id);
    }
}
