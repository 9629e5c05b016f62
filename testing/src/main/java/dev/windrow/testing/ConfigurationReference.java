package dev.windrow.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** What docs/configuration.md says of the keys; the page is generated from the code. */
public final class ConfigurationReference {

    /** A row of a key whose type has a range: key, meaning, type. */
    private static final Pattern RANGED = Pattern.compile(
            "^\\| `([a-z.-]+)`<br>`[A-Z_]+` \\| .* \\| (?:integer|number|duration|size) \\| [^|]* \\| [^|]* \\|$",
            Pattern.MULTILINE);

    private ConfigurationReference() {
    }

    /**
     * Keys of numbers, durations and sizes.
     *
     * @param root of the repository
     * @param prefix of the keys
     */
    public static List<String> rangedKeys(Path root, String prefix) throws IOException {
        return RANGED.matcher(Files.readString(root.resolve("docs/configuration.md"))).results()
                .map((MatchResult row) -> row.group(1)).filter(key -> key.startsWith(prefix)).toList();
    }
}
